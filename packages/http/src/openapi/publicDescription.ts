import { ParleyApi } from "../contract/ParleyApi.js"
import { errorSection } from "./errorTable.js"
import type { Description } from "./OpenApiDocument.js"
import { applicationSecurity } from "./securitySchemes.js"

/** The description in `/api/v1/openapi.json` (docs/reference/requests.md#base-path-and-version). */
export const publicDescription: Description = {
  api: ParleyApi,
  prefix: "/api/v1",
  introduction: `Work with a multichannel customer-messaging platform over HTTPS and JSON.

A single resource is answered as \`{ data }\`, a list as \`{ data, meta, links }\`. Timestamps are ISO 8601 UTC, identifiers are
UUIDs. Every answer names itself in \`X-Request-ID\` and tells the rate limit in \`X-RateLimit-Limit\` and
\`X-RateLimit-Remaining\`.

Lists come in two kinds: by \`page\` and \`per_page\` with an exact \`meta.total\`, or by \`limit\` and \`cursor\` with
\`meta.has_more\`. Either way, follow \`links.next\` until it is null.

Clients do well to ignore fields that they do not know.

An embedding team that has plans and balances may refuse any write with the codes for them.

${errorSection()}`,
  ...applicationSecurity,
  webhooks: true
}
