// A Fastify service with messaging under /messaging and its own routes.

import { createParley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import Fastify from "fastify"
import { firstKey } from "../firstKey.js"

const parley = await createParley({
  // Fastify leaves the prefix in the URL.
  mountPath: "/messaging",
  storage: { url: process.env.STORAGE_URL ?? "sqlite:.parley/fastify.db" },
  channels: [sandbox()],
  adminToken: process.env.ADMIN_TOKEN,
  // Needed on Postgres.
  secretKey: process.env.SECRET_KEY,
  // For receivers on this machine: leave it out in production.
  webhooks: { allow: ["127.0.0.0/8"], allowHttp: true }
})
const apiKey = process.env.API_KEY ?? (await firstKey(parley))
const { messages } = parley.client(apiKey)

const app = Fastify()

app.register(
  async (messaging) => {
    // Parley reads bodies itself.
    messaging.removeAllContentTypeParsers()
    messaging.addContentTypeParser("*", (_request, _payload, done) => done(null))
    messaging.all("/*", (request, reply) => {
      reply.hijack()
      parley.listener(request.raw, reply.raw)
    })
  },
  { prefix: "/messaging" }
)

app.post<{ Body: { id: string; email: string } }>("/orders", async (request, reply) => {
  const { id, email } = request.body
  const { data } = await messages.send(
    { channel: "email", to: email, type: "text", message: { subject: `Order ${id}`, body: "Thank you." } },
    { idempotencyKey: `order-${id}` }
  )
  return reply.code(201).send({ id, message_id: data.message_id })
})

app.get("/ready", async (_request, reply) => {
  const readiness = await parley.readiness()
  return reply.code(readiness.ready ? 200 : 503).send(readiness)
})

const url = await app.listen({ port: Number(process.env.PORT ?? 8081), host: "127.0.0.1" })
console.log(`listening on ${url}, API_KEY=${apiKey}`)

// The process exits once both are closed.
process.once("SIGTERM", () => {
  void app.close()
  void parley.close()
})
