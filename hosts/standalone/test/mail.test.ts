import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callAdmin, callApi } from "./calls.js"
import { serveDemo, temporaryFolder } from "./processes.js"

const secret = "a-secret-of-the-mail-service"
const mail = [
  "From: Ada <ada@customer.example>",
  "To: Bakery <hello@bakery.example>",
  "Subject: Order",
  "",
  "Is it ready?"
].join("\r\n")

it.scopedLive(
  "a bundled host receives a mail, parses it in a thread, and stops with the thread",
  () =>
    Effect.gen(function* () {
      const settings = { PARLEY_LOG_LEVEL: "debug" }
      const { demo, exit, output, signal, url } = yield* serveDemo(yield* temporaryFolder, settings)
      const { id } = (yield* callAdmin(demo, "POST", "/connections", {
        workspace_id: demo.workspace_id,
        channel: "email",
        provider: "email",
        name: "Bakery",
        handle: "hello@bakery.example",
        is_test: true,
        config: { smtp: { host: "127.0.0.1", port: 25, security: "none" } },
        credentials: { inbound_secret: secret }
      })) as { readonly id: string }
      const connection_ids = [...Object.values(demo.connections), id]
      yield* callAdmin(demo, "PATCH", `/applications/${demo.application_id}`, { connection_ids })
      const posted = yield* Effect.promise(() =>
        fetch(`${url}/inbound/${id}`, {
          method: "POST",
          headers: { authorization: `Bearer ${secret}`, "content-type": "message/rfc822" },
          body: mail
        })
      )
      expect(posted.status).toBe(200)
      type Page = { readonly data: ReadonlyArray<{ readonly contact_id: string }> }
      const found = yield* Effect.promise(() => callApi<Page>(demo, `/conversations?connection_id=${id}`))
      expect(found.body.data).toHaveLength(1)
      expect(output().match(/a thread starts that parses mails/g)).toHaveLength(1)
      expect(output()).not.toMatch(/the main thread parses mails/)
      signal("SIGTERM")
      expect(yield* exit).toBe(0)
    }),
  120_000
)
