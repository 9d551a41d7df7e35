import type { EventType } from "../../model/Event.js"
import { isSentByApplication, type Message } from "../../model/Message.js"
import type { NewEvent } from "../events/Outbox.js"
import { encodeMessage } from "./MessageResource.js"

/**
 * An event about a message in its state as of now. If an application, or a run that its event started, sent the
 * message, only that application receives the event (docs/reference/authentication.md#visibility-of-messages). Only a
 * message that the application sent itself has `external_reference`
 * (docs/reference/events.md#external-references-on-events).
 */
export const messageEvent = (
  type: EventType & `message.${string}`,
  message: Message,
  /** The vendor's JSON of the message. */
  raw: string | null = null
): NewEvent => ({
  workspaceId: message.workspaceId,
  type,
  applicationId: message.applicationId,
  connectionId: message.connectionId,
  subjectId: message.id,
  ...(!isSentByApplication(message) ? {} : { externalReference: message.externalReference }),
  data: { message: encodeMessage(message) },
  raw
})
