import { randomUUID } from "node:crypto"
import { UuidIds } from "@parley/node"
import { type Accepted, messageRows } from "../floor/messageRows.js"
import * as PostgresFloor from "../floor/postgresFloor.js"
import * as SqliteFloor from "../floor/sqliteFloor.js"
import { measure } from "../measuring/Round.js"
import { contactIdOf, conversationIdOf, type Seed, seed } from "../world/seed.js"
import type { Store } from "../world/Store.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface FloorSetting {
  readonly store: Store
  readonly seed: Seed
}

/** Writes for so long. */
export interface FloorOrder {
  readonly seconds: number
  readonly handles: Handles
}

const { store, seed: given } = settingOf<FloorSetting>()
await seed(store, given)

/** One transaction for one message. */
const writing = (): ((accepted: Accepted) => Promise<void>) => {
  if (store.kind === "postgres") {
    const pool = PostgresFloor.makePool(store.url)
    return (accepted) => PostgresFloor.inTransaction(pool, (client) => PostgresFloor.write(client, accepted))
  }
  const database = SqliteFloor.openFile(store.file)
  const transaction = database.transaction(SqliteFloor.writer(database))
  return async (accepted) => transaction.immediate(accepted)
}

const write = writing()
const ids = UuidIds.make()
const next = handleNumbers()

answerOrders<FloorOrder>(({ handles, seconds }) =>
  measure(seconds, () => {
    const n = next(handles)
    const recipient = handles === "known" ? { contactId: contactIdOf(n), conversationId: conversationIdOf(n) } : null
    return write(messageRows(bodyOf(handleOf(n)), randomUUID(), recipient, ids, randomUUID()))
  })
)
