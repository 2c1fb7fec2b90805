"""QR codes."""

import io

from django.utils.safestring import SafeString


def qr_svg(text: str) -> SafeString:
    """Draw a QR code as SVG."""
    import qrcode  # takes 5 MB, which pages without a code do not need
    from qrcode.image.svg import SvgPathImage

    image = qrcode.make(text, image_factory=SvgPathImage, border=2)
    buffer = io.BytesIO()
    image.save(buffer)
    svg = buffer.getvalue().decode()
    return SafeString(svg[svg.index("<svg") :])
