import type { Instant } from "../../model/Instant.js"
import type { Parts } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { ChangedContact } from "./ChangedContact.js"

/** Changes that record a changed contact and emit its events. */
export const recordContact = (
  { events, parts }: ChangedContact,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids
): Parts => ({ ...parts, inserts: events.flatMap((event) => emit(subscribers, event, now, ids)) })
