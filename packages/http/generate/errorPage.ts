import { errorExample } from "../src/openapi/errorResponses.js"
import { errorTable } from "../src/openapi/errorTable.js"

/** Path of the page, relative to the repository root. */
export const errorPageFile = "docs/errors.md"

/** The error catalogue as a Markdown page. */
export const errorPage = (): string => `# Errors

Made from \`packages/core/src/errors/Catalogue.ts\` by \`npm run generate\`.

Every error but those of \`POST /oauth/token\` has the same shape:

\`\`\`json
${JSON.stringify(errorExample("validation_failed"), null, 2)}
\`\`\`

Branch on \`code\`. \`request_id\` is also the header \`X-Request-ID\`: quote it when you ask an operator. \`validation_failed\` names
every field at once. What the account, invitation, sign-in, plan and coupon codes need is a host that has such things: an
embedding team raises them.

${errorTable()}
`
