import { Schema } from "effect"
import { text } from "../../kernel/input/Fields.js"
import { queryFilter } from "../../kernel/input/ListQuery.js"
import { wire } from "../../kernel/input/wire.js"

/** The query of `POST /attachments` (docs/reference/content.md#uploads). */
export const UploadQuery = Schema.Struct({
  fileName: wire("file_name", queryFilter(text(255)), {
    description: "The file's name, if the body is the file's bytes. A form has it beside the file."
  })
})
