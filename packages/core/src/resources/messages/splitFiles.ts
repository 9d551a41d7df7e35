import { Array as Arr } from "effect"
import { lengthOf } from "../../kernel/input/Fields.js"
import type { FileLimits } from "../../model/Channel.js"
import type { Content } from "./readContent.js"

/**
 * The messages that carry a content of the type `media` on a channel: one, or a text and one message for each file
 * (docs/reference/content.md#several-files). The text is a message of its own where it does not fit as a caption.
 */
export const splitFiles = (
  content: Content,
  limits: FileLimits | null | undefined
): Arr.NonEmptyReadonlyArray<Content> => {
  if (content.type !== "media" || limits == null) return [content]
  const { body, files, subject } = content
  const isCaption = body === "" || lengthOf(body) <= (limits.captionLength ?? Number.POSITIVE_INFINITY)
  if (isCaption && files.length <= limits.count) return [content]
  const caption = (index: number) => (isCaption && index === 0 ? body : "")
  const parts = files.map((file, index): Content => ({ ...content, files: [file], body: caption(index) }))
  return isCaption && Arr.isNonEmptyArray(parts) ? parts : [{ type: "text", body, subject }, ...parts]
}
