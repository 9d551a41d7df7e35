import { Effect } from "effect"
import type { Connection } from "../../model/Connection.js"
import { InboundEvent } from "../../model/InboundEvent.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"
import { verifiedId } from "../../resources/messages/signedId.js"

/** The opt-out that a signed id asks for. */
export interface Unsubscribing {
  readonly connection: Connection
  readonly event: Extract<InboundEvent, { readonly _tag: "OptOut" }>
}

/**
 * The opt-out that a signed id asks for: of the handle to which its message went, by the rule of a STOP reply
 * (docs/reference/contacts.md#opt-out). Null if the signature is not ours, or the message was deleted.
 */
export const unsubscribing = (
  {
    secretBox,
    storage
  }: { readonly secretBox: Pick<SecretBox, "signatures">; readonly storage: Pick<Storage, "read"> },
  signedId: string
): Effect.Effect<Unsubscribing | null, ReadError> =>
  Effect.gen(function* () {
    const messageId = verifiedId(secretBox, "unsubscribe", signedId)
    if (messageId === null) return null
    const message = yield* readById(storage, "messages", messageId)
    const conversation = yield* readById(storage, "conversations", message?.conversationId)
    const connection = yield* readById(storage, "connections", message?.connectionId)
    if (message?.direction !== "outbound" || conversation === undefined || connection === undefined) return null
    const event = InboundEvent.OptOut({ handle: conversation.handle, scope: "all", optedOut: true })
    return { connection, event }
  })
