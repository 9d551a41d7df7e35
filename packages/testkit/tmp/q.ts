import { randomUUID } from "node:crypto"
import Pg from "pg"
import { startPostgres } from "../src/startPostgres.js"

const cols =
  "id workspaceId applicationId externalReference conversationId contactId connectionId direction type status body subject templateName templateLanguage variables attachments error providerMessageId createdAt sentAt deliveredAt readAt receivedAt version".split(
    " "
  )
const ty = (c: string) =>
  /Id$|^id$/.test(c) && c !== "providerMessageId"
    ? "uuid"
    : /At$|version/.test(c)
      ? "bigint"
      : /variables|attachments|error/.test(c)
        ? "json"
        : "text"
let ctr = 0
const mk = (): any => ({
  id: (ctr++).toString(16).padStart(8, "0") + randomUUID().slice(8),
  workspaceId: randomUUID(),
  applicationId: randomUUID(),
  externalReference: null,
  conversationId: randomUUID(),
  contactId: randomUUID(),
  connectionId: randomUUID(),
  direction: "outbound",
  type: "text",
  status: "queued",
  body: "Your order is ready.",
  subject: null,
  templateName: null,
  templateLanguage: null,
  variables: [],
  attachments: [],
  error: null,
  providerMessageId: null,
  createdAt: Date.now(),
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  receivedAt: null,
  version: 1
})
const s = await startPostgres({ fsync: false })
const cl = new Pg.Client({ connectionString: s.url })
await cl.connect()
await cl.query("set synchronous_commit=off")
const J = (x: any) => (x !== null && typeof x === "object" ? JSON.stringify(x) : x)
const q = (c: string) => `"${c}"`
const variants: any = {
  json: {
    text: `insert into m select ${cols.map((c) => "v." + q(c))} from json_to_recordset($1::json) v(${cols.map((c) => q(c) + " " + ty(c))}) where true`,
    params: (b: any[]) => [JSON.stringify(b)]
  },
  jsonpos: {
    text: `insert into m select ${cols.map((c, i) => `(v->>${i})::${ty(c)}`)} from json_array_elements($1::json) v where true`,
    params: (b: any[]) => [JSON.stringify(b.map((r) => cols.map((c) => r[c])))]
  },
  unnest: {
    text: `insert into m select * from unnest(${cols.map((c, i) => `$${i + 1}::${ty(c)}[]`)})`,
    params: (b: any[]) => cols.map((c) => b.map((r) => J(r[c])))
  },
  pgjson: {
    text: `insert into m select v.* from json_populate_recordset(null::m,$1::json) v`,
    params: (b: any[]) => [JSON.stringify(b)]
  }
}
for (const N of [30])
  for (let round = 0; round < 3; round++)
    for (const [k, v] of Object.entries<any>(variants)) {
      await cl.query(
        `drop table if exists m; create table m(${cols.map((c) => q(c) + " " + ty(c) + (c === "id" ? " primary key" : ""))}); create index on m("conversationId",id)`
      )
      const bs = Array.from({ length: 300 }, () => Array.from({ length: N }, mk))
      const run = (b: any) => cl.query({ name: k + round, text: v.text, values: v.params(b) })
      for (const b of bs.slice(0, 60)) await run(b)
      const c0 = process.cpuUsage()
      const t = performance.now()
      for (const b of bs.slice(60)) await run(b)
      const ms = performance.now() - t
      const c = process.cpuUsage(c0)
      console.log(
        N,
        k,
        ((ms * 1000) / 240 / N).toFixed(1),
        "µs/row wall",
        ((c.user + c.system) / 240 / N).toFixed(1),
        "js cpu"
      )
    }
await cl.end()
await s.stop()
