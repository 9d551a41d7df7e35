import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements = [
  "ALTER TABLE endpoints ADD COLUMN ordered TEXT",
  "ALTER TABLE deliveries ADD COLUMN order_key TEXT",
  "ALTER TABLE deliveries ADD COLUMN order_state TEXT",
  // Deliveries without order are not in it.
  "CREATE INDEX deliveries_order ON deliveries (endpoint_id, order_key, order_state, event_id) WHERE order_key IS NOT NULL"
]

/** Deliveries of one conversation one after another. */
export const orderOfDeliveries = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
