import { storableText } from "../../kernel/text/storableText.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { UnknownEvent } from "../../model/UnknownEvent.js"
import { type Changes, changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

/** Maximum stored size of `raw`, in bytes of UTF-8: 64 KiB. */
export const maxUnknownBytes = 65_536

/**
 * Stores an unknown event. `raw` is truncated to {@link maxUnknownBytes}, `kind` to 100 characters; unstorable
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
    raw: cut(storableText(raw, maxUnknownBytes)),
    createdAt: now
  }
  return changes(workspaceId, { ensures: [row("unknownEvents", event)] })
}

/** Truncates at a character boundary. */
const cut = (text: string): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxUnknownBytes)).read)
