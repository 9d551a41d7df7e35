import { createServer } from "node:http"
import { createParley } from "@parley/host"
import { courier } from "./src/index.js"

const parley = await createParley({
  storage: { url: "sqlite:.parley/courier.db" },
  channels: [courier()],
  adminToken: process.env.ADMIN_TOKEN
})

const server = createServer(parley.listener).listen(8081, "127.0.0.1")
process.once("SIGTERM", () => {
  server.close()
  void parley.close()
})
