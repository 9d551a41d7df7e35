import { InboundEvent } from "@parley/core"
import { fieldsOf, idOf, textOf, unknownEvent } from "@parley/provider-kit"
import { eventId } from "../eventId.js"
import { postReferral } from "./postReferral.js"

/**
 * The events of one of an Instagram entry's `changes`. A comment is a notice from its author, under the id that the
 * author has in the chat; it opens no service window (docs/reference/messenger.md#comments). The account's own comments
 * and other changes are unknown events.
 */
export const commentEvents = (value: unknown, account: string): ReadonlyArray<InboundEvent> => {
  const { field, value: comment } = fieldsOf(value)
  const { from, id, media, parent_id, text } = fieldsOf(comment)
  const { id: author, self_ig_scoped_id, username } = fieldsOf(from)
  const { ad_id, ad_title, id: mediaId } = fieldsOf(media)
  const [commentId, sender, ad, parent] = [idOf(id), idOf(author), idOf(ad_id), idOf(parent_id)]
  const isOwn = sender === account || idOf(self_ig_scoped_id) !== null
  if (!isCommentField(field) || commentId === null || sender === null || isOwn) return [unknownEvent("change", value)]
  return [
    InboundEvent.Message({
      providerMessageId: eventId("comment", commentId),
      from: sender,
      body: textOf(text) ?? "Comment",
      content: { type: "system", event: field },
      ...(parent === null ? {} : { quoted: { providerMessageId: eventId("comment", parent) } }),
      referral: postReferral({
        source: ad !== null ? "ads" : field === "live_comments" ? "live_video" : "post",
        sourceId: ad ?? idOf(mediaId),
        headline: textOf(ad_title)
      }),
      subject: null,
      displayName: textOf(username),
      attachments: [],
      automatic: false
    })
  ]
}

const isCommentField = (field: unknown): field is "comments" | "live_comments" =>
  field === "comments" || field === "live_comments"
