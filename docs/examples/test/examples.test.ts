import { describe, it } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import { fromSource } from "./exampleProcess.js"
import { servesMessaging } from "./servesMessaging.js"

const secretKey = Buffer.alloc(32, 1).toString("base64")
const sqlite = Effect.succeed({})
const postgres = Effect.map(freshPostgres, (url) => ({ STORAGE_URL: url, SECRET_KEY: secretKey }))

for (const [name, database, environment] of [
  ["express", "sqlite", sqlite],
  ["fastify", "sqlite", sqlite],
  ["hono", "sqlite", sqlite],
  ["effect", "sqlite", sqlite],
  ["express", "postgres", postgres],
  ["effect", "postgres", postgres]
] as const) {
  describe(`the ${name} example on ${database}`, () => {
    it.scopedLive(
      "serves messaging beside its own routes, and stops without losing a request",
      () =>
        Effect.flatMap(Effect.all([fromSource(name), environment]), ([file, variables]) =>
          servesMessaging(file, variables)
        ),
      120_000
    )
  })
}
