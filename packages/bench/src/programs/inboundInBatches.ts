import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { UuidIds } from "@parley/node"
import { batches } from "../floor/batches.js"
import { webhookDeliverer } from "../floor/story/deliverWebhooks.js"
import { type InboundText, inboundRule } from "../floor/story/inboundRule.js"
import { ruledStory } from "../floor/story/ruledStory.js"
import { storyOnPostgres } from "../floor/story/storyOnPostgres.js"
import { storyOnSqlite } from "../floor/story/storyOnSqlite.js"
import type { Store } from "../world/Store.js"
import { type Audience, seedWhatsApp, whatsappConnectionId } from "../world/seedWhatsApp.js"
import { isSigned } from "../world/whatsappTraffic.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface InboundInBatchesSetting {
  readonly store: Store
  readonly audience: Audience
}

const { audience, store } = settingOf<InboundInBatchesSetting>()
await seedWhatsApp(store, audience)
const ids = UuidIds.make()
const database = store.kind === "postgres" ? await storyOnPostgres(store.url) : storyOnSqlite(store.file)
const decide = inboundRule(ids)
const failed = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
}
const { carryOn, leased } = webhookDeliverer(database, ruledStory(ids), ids, randomUUID(), () => {}, failed)

/** A message whose vendor waits for the answer. */
interface Received {
  readonly text: InboundText
  readonly answer: (status: number) => void
}

const receive = batches<Received>(async (batch) => {
  const rows = await database.readInbound(
    whatsappConnectionId,
    batch.map(({ text }) => text.from),
    batch.map(({ text }) => text.providerMessageId)
  )
  const now = Date.now()
  const seen = new Set<string>()
  const decided = []
  const answered: Array<Received> = []
  for (const received of batch) {
    const { from } = received.text
    // A customer's next message is decided on what this one leaves.
    if (seen.has(from)) receive(received)
    else {
      seen.add(from)
      const changes = decide(received.text, rows, now)
      if (changes !== null) decided.push(leased(changes, now))
      answered.push(received)
    }
  }
  if (decided.length > 0) await database.write("inbound", decided)
  for (const { answer } of answered) answer(200)
  for (const changes of decided) carryOn(changes, rows)
}, failed)

/** The text of a webhook with one message. */
const read = (body: Buffer): InboundText => {
  const { contacts, messages } = JSON.parse(body.toString("utf8")).entry[0].changes[0].value
  const [message] = messages
  return {
    providerMessageId: message.id,
    from: `+${message.from}`,
    displayName: contacts[0].profile.name,
    body: message.text.body,
    raw: JSON.stringify(message)
  }
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = Buffer.concat(chunks)
    const answer = (status: number) => response.writeHead(status, { "content-length": 0 }).end()
    if (isSigned(body, request.headers["x-hub-signature-256"])) receive({ text: read(body), answer })
    else answer(401)
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

answerOrders<never>(() => Promise.resolve(null), `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
