import type { DefinedContent, DefinedFile } from "../../model/MessageContent.js"
import { fillIn, fillInJson, fillInUrl, type PlaceholderValues } from "../contacts/placeholders.js"

/** Content of a definition with its placeholders filled. */
export const fillContent = (content: DefinedContent, values: PlaceholderValues): DefinedContent =>
  fillInJson(content, values) as DefinedContent

/** Files of a definition with the placeholders of their URLs and names filled. */
export const fillFiles = (files: ReadonlyArray<DefinedFile>, values: PlaceholderValues): ReadonlyArray<DefinedFile> =>
  files.map(({ contentType, fileName, url }) => ({
    contentType,
    url: fillInUrl(url, values),
    fileName: fileName === null ? null : fillIn(fileName, values)
  }))

/** `message.content` and `message.attachments` of a `POST /messages`. */
export const wireContent = (content: DefinedContent | null, files: ReadonlyArray<DefinedFile>) => {
  const { type: _, ...fields } = content ?? { type: null }
  return {
    content: content === null ? null : fields,
    attachments: files.map(({ contentType, fileName, url }) => ({
      url,
      content_type: contentType,
      file_name: fileName
    }))
  }
}
