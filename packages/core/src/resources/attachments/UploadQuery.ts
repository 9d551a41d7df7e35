import { Schema } from "effect"
import { text, uuid } from "../../kernel/input/Fields.js"
import { queryFilter } from "../../kernel/input/ListQuery.js"
import { wire } from "../../kernel/input/wire.js"

const fileName = wire("file_name", queryFilter(text(255)), {
  description: "The file's name, if the body is the file's bytes. A form has it beside the file."
})

/** The query of `POST /attachments` (docs/reference/content.md#uploads). */
export const UploadQuery = Schema.Struct({ fileName })

/** The query of `POST /attachments` of the administration (docs/reference/content.md#uploads-of-administrators). */
export const AdminUploadQuery = Schema.Struct({
  workspaceId: wire("workspace_id", uuid, { description: "The workspace whose conversations it is sent in." }),
  fileName
})
