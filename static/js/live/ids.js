const hex = (n, digits) => n.toString(16).padStart(digits, "0");

// An id that sorts by time (UUID version 7); a page without encryption has no crypto.randomUUID.
export const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const random = [...bytes].map((byte) => hex(byte, 2)).join("");
  const time = hex(Date.now(), 12);
  const variant = hex(0x8 | (bytes[2] & 0x3), 1);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(3, 6)}-${random.slice(6, 18)}`;
};
