import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { expect, it } from "@effect/vitest"
import { Schema } from "@parley/sql"
import { someConversationId, someEndpointId } from "@parley/testkit/rows"
import { Effect } from "effect"
import * as Lists from "../../sql/src/Lists.js"
import * as Statements from "../../sql/src/Statements.js"
import { dialect } from "../src/dialect.js"
import { migrations } from "../src/migrations/index.js"

it.scopedLive("walks the deliveries that an endpoint waits for by their own index", () =>
  Effect.gen(function* () {
    yield* Schema.migrate(dialect, migrations)
    const texts: Array<string> = []
    const execute = (text: string) => Effect.sync(() => void texts.push(text)).pipe(Effect.as([]))
    const recording = { reserve: Effect.succeed({ execute }) } as unknown as SqlClient
    const { list } = Lists.make(recording, dialect, Statements.make(dialect))
    const where = { endpointId: someEndpointId, status: "pending" as const }
    yield* list({ from: "deliveries", where, after: someConversationId, limit: 200 })
    const sql = yield* SqlClient
    const plan = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${texts[0]}`, [
      someEndpointId,
      someConversationId,
      200
    ])
    expect(plan.map(({ detail }) => detail)).toEqual([
      "SEARCH t USING INDEX deliveries_endpoint_id_id_pending (endpoint_id=? AND id<?)"
    ])
  }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
)
