import type { EventType } from "../events/Event.js"
import type { NewEvent } from "../events/Outbox.js"
import { isSentByApplication, type Message } from "./Message.js"
import { encodeMessage } from "./MessageResource.js"

/**
 * An event about a message as it is now. One that an application sent, or a run that its event started, is heard by that
 * application alone; the former carries its `external_reference` (decisions.md §9, §12).
 */
export const messageEvent = (type: EventType & `message.${string}`, message: Message): NewEvent => ({
  workspaceId: message.workspaceId,
  type,
  applicationId: message.applicationId,
  connectionId: message.connectionId,
  subjectId: message.id,
  ...(!isSentByApplication(message) ? {} : { externalReference: message.externalReference }),
  data: { message: encodeMessage(message) }
})
