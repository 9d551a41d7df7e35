import { ParleyApi } from "../contract/ParleyApi.js"
import { commonEntries, parameterWords } from "./commonWords.js"
import { errorSection } from "./errorTable.js"
import type { Description } from "./OpenApiDocument.js"
import { publicInputs } from "./publicInputs.js"
import { publicResources } from "./publicResources.js"
import { applicationSecurity } from "./securitySchemes.js"

/** What `/api/v1/openapi.json` tells (spec, Versioning). */
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
  glossary: { components: { ...commonEntries, ...publicInputs, ...publicResources }, parameters: parameterWords },
  ...applicationSecurity,
  webhooks: true
}
