import { type Document, latest } from "../server/Document.js"
import { type Description, openApiDocument } from "./OpenApiDocument.js"
import { swaggerUiFile } from "./swaggerUiFile.js"

/**
 * `openapi.json` and the page that shows it, `docs`, below the contract's prefix. The page is Swagger UI, from our own
 * origin: nothing is fetched from elsewhere, and no script runs but its own.
 */
export const documentsOf = (description: Description): ReadonlyArray<Document> => {
  const { prefix } = description
  const path = `${prefix}/openapi.json`
  // Made once: a client may name any host, and making it takes as long as many requests.
  let document: string | null = null
  const documentAt = (mount: string): string => {
    document ??= JSON.stringify(openApiDocument(description, anyMount))
    return document.replaceAll(anyMount, () => mount)
  }
  return [
    {
      path,
      contentType: "application/json",
      headers: {},
      textAt: latest((url) => documentAt(mountOf(url, path)))
    },
    {
      path: `${prefix}/docs`,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": contentSecurityPolicy,
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin"
      },
      textAt: latest(() => page)
    },
    script(`${prefix}/docs/start.js`, () => start),
    script(`${prefix}/docs/swagger-ui.js`, () => swaggerUiFile("swagger-ui-bundle.js")),
    {
      path: `${prefix}/docs/swagger-ui.css`,
      contentType: "text/css; charset=utf-8",
      headers: {},
      textAt: latest(() => swaggerUiFile("swagger-ui.css"))
    }
  ]
}

const script = (path: string, text: () => string): Document => ({
  path,
  contentType: "text/javascript; charset=utf-8",
  headers: {},
  textAt: latest(text)
})

/** Stands for the URL below which the contract is served. */
const anyMount = "https://mount.invalid"

/** The URL below which the contract is served, from that of a request for one of its paths. */
const mountOf = (url: string, path: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.slice(0, -path.length)}`
}

/** Pictures in Swagger UI's style sheet are `data:` URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Every address in it is relative, so that it works wherever it is mounted. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Interface</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>This page needs JavaScript. The same is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0
})
`
