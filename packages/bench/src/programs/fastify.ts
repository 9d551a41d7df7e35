import { randomUUID } from "node:crypto"
import { UuidIds } from "@parley/node"
import Fastify from "fastify"
import { acceptMessage } from "../floor/acceptMessage.js"
import { onPostgres } from "../floor/onPostgres.js"
import { onSqlite } from "../floor/onSqlite.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import type { bodyOf } from "../world/traffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface FastifySetting {
  readonly store: Store
  readonly seed: Seed
}

const { seed: given, store } = settingOf<FastifySetting>()
await seed(store, given)
const inTransaction = store.kind === "postgres" ? onPostgres(store.url) : onSqlite(store.file)
const ids = UuidIds.make()

const schema = {
  headers: {
    type: "object",
    required: ["authorization", "idempotency-key"],
    properties: { "idempotency-key": { type: "string", minLength: 1, maxLength: 255 } }
  },
  body: {
    type: "object",
    required: ["channel", "to", "type", "message"],
    properties: {
      channel: { enum: ["whatsapp", "telegram", "email", "webchat", "instagram", "facebook"] },
      to: { type: "string", minLength: 1, maxLength: 255 },
      type: { enum: ["text", "template"] },
      external_reference: { type: "string", maxLength: 255, nullable: true },
      message: {
        type: "object",
        properties: {
          template: { type: "string", maxLength: 512 },
          language: { type: "string", maxLength: 10 },
          variables: { type: "array", maxItems: 100, items: { type: "string", maxLength: 4096 } }
        }
      }
    }
  }
}

const app = Fastify()
app.post<{ Body: ReturnType<typeof bodyOf> }>("/api/v1/messages", { schema }, async (request, reply) => {
  const requestId = randomUUID()
  const token = request.headers.authorization?.slice("Bearer ".length) ?? ""
  const key = request.headers["idempotency-key"] as string
  const { body, status } = await inTransaction(acceptMessage({ token, key, requestId, body: request.body }, ids))
  return reply.code(status).header("x-request-id", requestId).type("application/json").send(body)
})

answerOrders(() => Promise.resolve(), await app.listen({ host: "127.0.0.1", port: 0 }))
