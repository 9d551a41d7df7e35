import { AdminApi } from "../admin/AdminApi.js"
import { accessEntries } from "./accessEntries.js"
import { adminInputs } from "./adminInputs.js"
import { adminResources } from "./adminResources.js"
import { botEntries } from "./botEntries.js"
import { channelEntries } from "./channelEntries.js"
import { commonEntries, parameterWords } from "./commonWords.js"
import { contactEntries } from "./contactEntries.js"
import { deskEntries } from "./deskEntries.js"
import { errorSection } from "./errorTable.js"
import type { Description } from "./OpenApiDocument.js"
import { operationsEntries } from "./operationsEntries.js"
import { publicResources } from "./publicResources.js"
import { administratorSecurity } from "./securitySchemes.js"
import { webhookEntries } from "./webhookEntries.js"
import { workflowEntries } from "./workflowEntries.js"
import { workflowRunEntries } from "./workflowRunEntries.js"

/** What `/admin/v1/openapi.json` tells: it holds no secrets, and needs no credential (decisions.md §14). */
export const adminDescription: Description = {
  api: AdminApi,
  prefix: "/admin/v1",
  introduction: `For whoever runs the service, with the envelopes, errors and conventions of the public interface. Lists go by
\`limit\` and \`cursor\`, newest first; follow \`links.next\` until it is null. A PATCH changes what it names and no more; null
clears a field. Say who you are by the header \`X-Actor\` (at most 100 printable ASCII characters), and the audit log names you.

${errorSection()}`,
  glossary: {
    components: {
      ...commonEntries,
      ...publicResources,
      ...adminInputs,
      ...accessEntries,
      ...channelEntries,
      ...webhookEntries,
      ...operationsEntries,
      ...adminResources,
      ...workflowEntries,
      ...workflowRunEntries,
      ...botEntries,
      ...deskEntries,
      ...contactEntries
    },
    parameters: parameterWords
  },
  ...administratorSecurity,
  webhooks: false
}
