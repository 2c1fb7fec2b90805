"""Headers that neither Django nor a library of the site sends."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# What no page uses is refused, to scripts of this site as well. Passkeys are used on this site alone.
REFUSED = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
OWN = ("publickey-credentials-create", "publickey-credentials-get")
PERMISSIONS = ", ".join([*(f"{name}=()" for name in REFUSED), *(f"{name}=(self)" for name in OWN)])


def permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers["Permissions-Policy"] = PERMISSIONS
        return response

    return answer
