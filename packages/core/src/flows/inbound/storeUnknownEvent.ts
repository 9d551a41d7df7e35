import { storableText } from "../../kernel/text/storableText.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { UnknownEvent } from "../../model/UnknownEvent.js"
import { type Changes, changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { storableRaw } from "./storableRaw.js"

/**
 * Stores an unknown event. `raw` is truncated to 64 KiB, `kind` to 100 characters; unstorable
 * characters are removed. A redelivered event is stored again: this is a log.
 */
export const storeUnknownEvent = (
  { id: connectionId, workspaceId }: Pick<Connection, "id" | "workspaceId">,
  { kind, raw }: { readonly kind: string; readonly raw: string },
  now: Instant,
  ids: Ids
): Changes => {
  const event: UnknownEvent = {
    id: ids.next(now),
    workspaceId,
    connectionId,
    kind: storableText(kind, 100),
    raw: storableRaw(raw),
    createdAt: now
  }
  return changes(workspaceId, { ensures: [row("unknownEvents", event)] })
}
