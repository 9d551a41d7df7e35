import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { aWhatsAppBusiness, fakeWhatsApp } from "@parley/testkit"
import { Effect } from "effect"
import { adminToken, hostOf } from "./commands/hostOf.js"
import { runParley } from "./commands/runParley.js"
import { no, typedTerminal } from "./commands/typedTerminal.js"
import { temporaryFolder } from "./processes.js"

const page = readFileSync(new URL("../../../docs/connect-a-channel.md", import.meta.url), "utf8")
const shell = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block.replaceAll("\\\n", " ")).join("")

/** The arguments of the page's commands, without `parley`. */
const commandLines = [...shell.matchAll(/^parley (.*)$/gm)].map(([, line = ""]) =>
  [...line.matchAll(/"[^"]*"|(?:<[^>]*>|[^\s<])+/g)].map(([word]) => word.replace(/^"(.*)"$/, "$1"))
)

/** The body of the page's `curl`. */
const posted = /-d '(.*)'/.exec(shell)?.[1] ?? ""

/** The business of the page. */
const business = {
  ...aWhatsAppBusiness(),
  phoneNumberId: "106540352242922",
  businessAccountId: "102290129340398",
  displayNumber: "+1 555-000-1111"
}
const secrets = { access_token: business.accessToken, app_secret: business.appSecret, verify_token: "made-up" }

/** The files of the page. */
const files = {
  "whatsapp.json": JSON.stringify({
    phone_number_id: business.phoneNumberId,
    business_account_id: business.businessAccountId
  }),
  "whatsapp-secrets.json": JSON.stringify(secrets),
  "token.txt": `${secrets.access_token}\n`,
  "app-secret.txt": `${secrets.app_secret}\n`,
  "verify-token.txt": `${secrets.verify_token}\n`
}

/** A user's folder with these files, in which the command runs by npm. */
const folderWithFiles = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  yield* Effect.forEach(Object.entries(files), ([name, text]) =>
    Effect.promise(() => writeFile(join(folder, name), text))
  )
  const { INIT_CWD, npm_lifecycle_event } = process.env
  yield* Effect.acquireRelease(
    Effect.sync(() => Object.assign(process.env, { INIT_CWD: folder, npm_lifecycle_event: "parley" })),
    () => Effect.sync(() => Object.assign(process.env, { INIT_CWD, npm_lifecycle_event }))
  )
})

it.scopedLive(
  "the page's commands replace the sandbox by a real account",
  () =>
    Effect.gen(function* () {
      yield* folderWithFiles
      const meta = yield* fakeWhatsApp(business)
      const url = yield* hostOf(meta)
      const run = (...message: ReadonlyArray<string>) =>
        runParley([...message, "--server", url, "--token", adminToken, "--json"]).pipe(
          Effect.map(({ code, errors, output }) => {
            expect([message, code, errors]).toEqual([message, 0, ""])
            // Lists print one object per line.
            return output.startsWith("{\n") ? JSON.parse(output) : null
          })
        )
      const known: { [name: string]: string } = {}
      known["<workspace id>"] = (yield* run("workspace", "create", "Acme")).id
      const sandbox = ["connection", "add", "whatsapp", "+15550100", "--provider", "sandbox"]
      known["<sandbox connection id>"] = (yield* run(...sandbox, "--workspace", known["<workspace id>"] ?? "")).id

      let key = ""
      for (const line of commandLines) {
        const message = line.map((word) => word.replace(/<[^>]*>/g, (name) => known[name] ?? `${name} is unknown`))
        if (line[1] === "add") {
          // The page shows several ways: disconnect the account for the next one.
          const before = known["<connection id>"]
          if (before !== undefined) yield* run("connection", "update", before, "--status", "disconnected")
          if (!line.includes("+15550001111")) {
            const { phoneNumberId } = business
            const terminal = yield* typedTerminal("+15550001111", phoneNumberId, no, ...Object.values(secrets))
            const requests = [...message, "--server", url, "--token", adminToken]
            const { errors, output } = yield* runParley(requests, undefined, terminal)
            expect(errors).toContain("Next:")
            known["<connection id>"] = /^id +(\S+)$/m.exec(output)?.[1] ?? ""
            continue
          }
        }
        const shown = yield* run(...message)
        if (line[0] === "connection" && line[1] === "add") known["<connection id>"] = shown.id
        if (line[0] === "app" && line[1] === "create") known["<app id>"] = shown.id
        if (line[0] === "key") key = shown.key
      }
      expect(meta.callbacks.get(business.phoneNumberId)).toBe(`${url}/inbound/${known["<connection id>"]}`)

      const sent = yield* Effect.promise(() =>
        fetch(`${url}/api/v1/messages`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "idempotency-key": "first-1", "content-type": "application/json" },
          body: posted
        })
      )
      expect(sent.status).toBe(202)
      expect(meta.taken).toMatchObject([{ to: expect.stringContaining("4915112345678") }])
    }),
  120_000
)
