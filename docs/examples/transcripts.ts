import type { Parley, Subscription } from "@parley/embed"

/** Keeps the messages of each conversation in their order. Call it at each start of the service. */
export const keepTranscripts = (
  parley: Parley,
  applicationId: string,
  append: (conversationId: string, line: string) => Promise<void>
): Promise<Subscription> =>
  parley.on(
    "transcripts",
    ["message.received", "message.queued"],
    ({ data: { message } }) => append(message.conversation_id, `${message.direction}: ${message.body}`),
    { application: applicationId, ordered: "conversation" }
  )
