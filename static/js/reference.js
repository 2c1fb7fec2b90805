// Shows the description of the API with Swagger UI, in the look of the reader. Requests that are tried carry the session
// and its CSRF token.
const root = document.documentElement;
const place = document.querySelector("#reference");
const token = () => document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]+)/)?.[1] ?? "";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const chosen = root.dataset.theme;

const takeOver = () => root.classList.toggle("dark-mode", chosen ? chosen === "dark" : prefersDark.matches);
takeOver();
prefersDark.addEventListener("change", takeOver);

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (!request.headers.Authorization) request.headers["X-CSRFToken"] = token();
    return request;
  },
});
