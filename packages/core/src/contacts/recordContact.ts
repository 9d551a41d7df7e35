import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import type { Parts } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { ChangedContact } from "./ChangedContact.js"

/** What writes a change of a contact, and tells it; nothing where nothing changed. */
export const recordContact = (
  { events, parts }: ChangedContact,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): Parts =>
  events.length === 0 ? {} : { ...parts, inserts: events.flatMap((event) => emit(subscribers, event, now, ids)) }
