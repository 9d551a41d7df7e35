import { layer } from "@parley/postgres"
import { freshPostgres, storageContract } from "@parley/testkit"
import { Effect, Redacted } from "effect"

storageContract(
  "postgres",
  Effect.map(freshPostgres, (url) => layer({ url: Redacted.make(url) })),
  { hosts: 2 }
)
