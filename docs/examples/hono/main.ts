// A Hono service with messaging under /messaging and its own routes.
import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import { createParley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { Hono } from "hono"
import { firstKey } from "../firstKey.js"

const parley = await createParley({
  // Hono leaves the prefix in the URL.
  mountPath: "/messaging",
  storage: { url: process.env.STORAGE_URL ?? "sqlite:.parley/hono.db" },
  channels: [sandbox()],
  adminToken: process.env.ADMIN_TOKEN,
  // Needed on Postgres.
  secretKey: process.env.SECRET_KEY,
  // For receivers on this machine: leave it out in production.
  webhooks: { allow: ["127.0.0.0/8"], allowHttp: true }
})
const apiKey = process.env.API_KEY ?? (await firstKey(parley))
const { messages } = parley.client(apiKey)

const app = new Hono()

app.all("/messaging/*", (context) => {
  const { address } = getConnInfo(context).remote
  return parley.fetch(context.req.raw, address === undefined ? {} : { peer: address })
})

app.post("/orders", async (context) => {
  const { id, email } = await context.req.json<{ id: string; email: string }>()
  const { data } = await messages.send(
    { channel: "email", to: email, type: "text", message: { subject: `Order ${id}`, body: "Thank you." } },
    { idempotencyKey: `order-${id}` }
  )
  return context.json({ id, message_id: data.message_id }, 201)
})

app.get("/ready", async (context) => {
  const readiness = await parley.readiness()
  return context.json(readiness, readiness.ready ? 200 : 503)
})

const server = serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 8081), hostname: "127.0.0.1" },
  ({ port }) => {
    console.log(`listening on http://127.0.0.1:${port}, API_KEY=${apiKey}`)
  }
)

// The process exits once both are closed.
process.once("SIGTERM", () => {
  server.close()
  void parley.close()
})
