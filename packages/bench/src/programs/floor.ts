import { randomUUID } from "node:crypto"
import { UuidIds } from "@parley/node"
import { messageRows } from "../floor/messageRows.js"
import { onPostgres } from "../floor/onPostgres.js"
import { onSqlite } from "../floor/onSqlite.js"
import { writeMessage } from "../floor/writeMessage.js"
import { measure, untilElapsed } from "../measuring/RoundResult.js"
import type { Store } from "../world/Store.js"
import { contactIdOf, conversationIdOf, type Seed, seed } from "../world/seed.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface FloorSetting {
  readonly store: Store
  readonly seed: Seed
  /** How often a connection of `pg` prepares a statement; `better-sqlite3` always does once. */
  readonly prepares: "once" | "every time"
}

/** Writes for a duration. */
export interface FloorOrder {
  readonly seconds: number
  readonly handles: Handles
}

const { prepares, seed: given, store } = settingOf<FloorSetting>()
await seed(store, given)
const inTransaction = store.kind === "postgres" ? onPostgres(store.url, prepares) : onSqlite(store.file)
const ids = UuidIds.make()
const next = handleNumbers()

answerOrders<FloorOrder>(({ handles, seconds }) =>
  measure(untilElapsed(seconds), () => {
    const n = next(handles)
    const recipient = handles === "known" ? { contactId: contactIdOf(n), conversationId: conversationIdOf(n) } : null
    const accepted = messageRows(bodyOf(handleOf(n)), randomUUID(), recipient, ids, randomUUID())
    return inTransaction(writeMessage(accepted))
  })
)
