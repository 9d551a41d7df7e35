import { type Document, latest } from "../server/Document.js"

/**
 * The page at the root: links for people who open the service in a browser. Addresses are relative, so that it works
 * wherever it is mounted.
 */
export const startPage: Document = {
  path: "/",
  contentType: "text/html; charset=utf-8",
  headers: {
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer"
  },
  textAt: latest(
    () => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Messaging</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <h1>Messaging</h1>
    <p>This service sends and receives messages for applications. It works.</p>
    <ul>
      <li><a href="api/v1/docs">Reference of the interface</a>, to read and to try</li>
      <li><a href="api/v1/openapi.json">OpenAPI document</a></li>
    </ul>
    <p>Calls need an API key: <code>Authorization: Bearer …</code></p>
  </body>
</html>
`
  )
}
