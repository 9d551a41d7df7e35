// An Express service with messaging under /messaging and its own routes.
import type { AddressInfo } from "node:net"
import { createParley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import express from "express"
import { firstKey } from "../firstKey.js"

const parley = await createParley({
  storage: { url: process.env.STORAGE_URL ?? "sqlite:.parley/express.db" },
  channels: [sandbox()],
  adminToken: process.env.ADMIN_TOKEN,
  // Needed on Postgres.
  secretKey: process.env.SECRET_KEY,
  // For receivers on this machine: leave it out in production.
  webhooks: { allow: ["127.0.0.0/8"], allowHttp: true }
})
const apiKey = process.env.API_KEY ?? (await firstKey(parley))
const { messages } = parley.client(apiKey)

const app = express()

app.use("/messaging", parley.listener)
// After it: Parley reads bodies itself.
app.use(express.json())

app.post("/orders", async (request, response) => {
  const { id, email } = request.body
  const { data } = await messages.send(
    { channel: "email", to: email, type: "text", message: { subject: `Order ${id}`, body: "Thank you." } },
    { idempotencyKey: `order-${id}` }
  )
  response.status(201).json({ id, message_id: data.message_id })
})

app.get("/ready", async (_request, response) => {
  const readiness = await parley.readiness()
  response.status(readiness.ready ? 200 : 503).json(readiness)
})

const server = app.listen(Number(process.env.PORT ?? 8081), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}, API_KEY=${apiKey}`)
})

// The process exits once both are closed.
process.once("SIGTERM", () => {
  server.close()
  void parley.close()
})
