import { AdminApi } from "../admin/AdminApi.js"
import { errorSection } from "./errorTable.js"
import type { Description } from "./OpenApiDocument.js"
import { administratorSecurity } from "./securitySchemes.js"

/**
 * The description in `/admin/v1/openapi.json`, which has no secrets and needs no credential
 * (docs/reference/requests.md#documents-without-a-credential).
 */
export const adminDescription: Description = {
  api: AdminApi,
  prefix: "/admin/v1",
  introduction: `For the operators of the service, with the envelopes, errors and conventions of the public interface. Lists go by
\`limit\` and \`cursor\`, newest first; follow \`links.next\` until it is null. A PATCH changes what it names and no more; null
clears a field. Say who you are by the header \`X-Actor\` (at most 100 printable ASCII characters), and the audit log names you.

${errorSection()}`,
  ...administratorSecurity,
  webhooks: false
}
