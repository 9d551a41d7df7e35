import { createParley } from "../src/index.js"
import { CallersDatabase } from "./callersDatabase.js"
import { email, quiet } from "./shop.js"

/**
 * A program that writes an order and enqueues its message in one transaction, and is killed with -9 after the commit,
 * or before it. Arguments: URL of the database, secret key, application, `commit` or `open`.
 */
const [url = "", secretKey = "", application = "", when] = process.argv.slice(2)
const parley = await createParley({ ...quiet, storage: { url }, secretKey, worker: false })
const database = await CallersDatabase.open(url)
await database.run("BEGIN")
await database.run("INSERT INTO orders (id) VALUES (1)")
await parley.enqueue(database.transaction, {
  application,
  idempotencyKey: "order-1",
  send: email("ada@acme.example")
})
if (when === "commit") await database.run("COMMIT")
process.kill(process.pid, "SIGKILL")
