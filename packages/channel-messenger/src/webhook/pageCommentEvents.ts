import { createHash } from "node:crypto"
import { type InboundAttachment, InboundEvent } from "@parley/core"
import { fieldsOf, idOf, textOf, unknownEvent } from "@parley/provider-kit"
import { eventId } from "../eventId.js"
import { postReferral } from "./postReferral.js"

/**
 * The events of one of a Page entry's `changes`. A comment is a notice from its author, under the id that the author
 * has in the chat; it opens no service window (docs/reference/messenger.md#comments). An edited one is an edit, a
 * removed one a deletion. The Page's own comments and other changes are unknown events. `time` is that of the entry,
 * which with the text tells the edits of a comment apart.
 */
export const pageCommentEvents = (change: unknown, account: string, time: unknown): ReadonlyArray<InboundEvent> => {
  const { field, value } = fieldsOf(change)
  const { comment_id, from, item, message, parent_id, photo, post_id, verb, video } = fieldsOf(value)
  const { id: author, name } = fieldsOf(from)
  const [commentId, sender, post, parent] = [idOf(comment_id), idOf(author), idOf(post_id), idOf(parent_id)]
  const unknown = [unknownEvent("change", change)]
  if (field !== "feed" || item !== "comment" || commentId === null || sender === null || sender === account) {
    return unknown
  }
  const comment = eventId("comment", commentId)
  const said = { from: sender, subject: null, displayName: textOf(name), automatic: false }
  const attachments = [...fileOf("image", photo), ...fileOf("video", video)]
  const body = textOf(message) ?? (attachments.length > 0 ? "" : "Comment")
  switch (verb) {
    case "add":
      return [
        InboundEvent.Message({
          ...{ ...said, providerMessageId: comment, body, attachments },
          content: { type: "system", event: "feed" },
          // A comment on the post itself has the post as its parent.
          ...(parent === null || parent === post ? {} : { quoted: { providerMessageId: eventId("comment", parent) } }),
          referral: postReferral({ source: "post", sourceId: post })
        })
      ]
    case "edited":
      return [
        InboundEvent.Message({
          ...{ ...said, providerMessageId: editId(comment, time, body), body, attachments },
          content: { type: "edit" },
          quoted: { providerMessageId: comment }
        })
      ]
    case "remove":
      return [
        InboundEvent.Message({
          ...{ ...said, providerMessageId: eventId("deletion", comment), body: "Message deleted", attachments: [] },
          content: { type: "deletion" },
          quoted: { providerMessageId: comment }
        })
      ]
    default:
      return unknown
  }
}

/** Entries have a time in seconds, and an entry may have several edits. */
const editId = (comment: string, time: unknown, body: string): string =>
  eventId("edit", idOf(time) ?? "", createHash("sha256").update(body).digest("base64url").slice(0, 16), comment)

const fileOf = (type: InboundAttachment["type"], url: unknown): ReadonlyArray<InboundAttachment> => {
  const reference = textOf(url)
  return reference === null ? [] : [{ type, contentType: null, fileName: null, content: { reference } }]
}
