import { layer } from "@parley/postgres"
import { storageContract } from "@parley/testkit"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect, Redacted } from "effect"

storageContract(
  "postgres",
  Effect.map(freshPostgres, (url) => layer({ url: Redacted.make(url) })),
  { hosts: 2 }
)
