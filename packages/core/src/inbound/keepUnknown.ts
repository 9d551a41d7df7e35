import type { Connection } from "../channels/Connection.js"
import type { Instant } from "../Instant.js"
import { storableText } from "../input/storableText.js"
import { type Changes, changes, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { UnknownEvent } from "./UnknownEvent.js"

/** The most of an event that is kept, in bytes of UTF-8: 64 KiB. */
export const mostUnknownBytes = 65_536

/**
 * Keeps what a vendor sent and nobody understands, as it came but for what cannot be stored; `raw` is cut after
 * {@link mostUnknownBytes}, `kind` after 100 characters. What comes again is kept again: it is a log.
 */
export const keepUnknown = (
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
    raw: cut(storableText(raw, mostUnknownBytes)),
    createdAt: now
  }
  return changes(workspaceId, { ensures: [row("unknownEvents", event)] })
}

/** Whole characters of at most {@link mostUnknownBytes}. */
const cut = (text: string): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(mostUnknownBytes)).read)
