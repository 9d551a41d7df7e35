import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { aWhatsAppBusiness, type FakeWhatsApp, fakeWhatsApp } from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import { temporaryFolder } from "../processes.js"
import { adminToken, hostOf } from "./hostOf.js"
import { runParley } from "./runParley.js"
import { interruption, type TypedTerminal, typedTerminal, yes } from "./typedTerminal.js"

const business = aWhatsAppBusiness()
const { accessToken, appSecret, businessAccountId, phoneNumberId } = business

/** A host connected to the WhatsApp fake, a workspace, and a folder for files. */
class Host extends Context.Tag("test/Host")<
  Host,
  { readonly meta: FakeWhatsApp; readonly where: ReadonlyArray<string>; readonly folder: string }
>() {}

const host = Layer.scoped(
  Host,
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const meta = yield* fakeWhatsApp(business)
    const where = ["--server", yield* hostOf(meta), "--token", adminToken]
    return { meta, where, folder }
  })
)

const run = (message: ReadonlyArray<string>, terminal?: TypedTerminal) =>
  Effect.flatMap(Host, ({ where }) => runParley([...message, ...where], undefined, terminal))

/** The one document that a command prints with `--json`. */
const one = (...message: ReadonlyArray<string>) =>
  Effect.map(run([...message, "--json"]), ({ code, errors, output }) => {
    expect([message, code, errors]).toEqual([message, 0, ""])
    return JSON.parse(output)
  })

const inNewWorkspace = Effect.map(one("workspace", "create", "Acme"), ({ id }) => ["--workspace", String(id)])

/** Leaves the number to the connections of other tests. */
const disconnect = (id: string) => one("connection", "update", id, "--status", "disconnected")

/** The settings of the number, as `--set` takes them, with secrets in files. */
const settings = Effect.gen(function* () {
  const { folder } = yield* Host
  const secrets = { access_token: accessToken, app_secret: appSecret, verify_token: "made-up" }
  const files = yield* Effect.forEach(Object.entries(secrets), ([name, secret]) =>
    Effect.promise(async () => {
      const file = join(folder, name)
      await writeFile(file, `${secret}\n`)
      return `${name}=@${file}`
    })
  )
  return [`phone_number_id=${phoneNumberId}`, `business_account_id=${businessAccountId}`, ...files].flatMap((value) => [
    "--set",
    value
  ])
})

layer(host, { excludeTestServices: true, timeout: 60_000 })("connections on the command line", (it) => {
  it.effect("have the settings that their provider lists", () =>
    Effect.gen(function* () {
      const all = yield* run(["providers"])
      expect(all.output).toMatch(
        /^KIND +CHANNELS +CAN\nsandbox .*\nwhatsapp +whatsapp +webhook, check, setup, templates, history$/
      )
      const settings = yield* run(["providers", "whatsapp"])
      expect(settings.output).toMatch(/^config.phone_number_id +yes +text +Phone number ID: .+$/m)
      expect(settings.output).toMatch(/^config.messages_per_second +no +number +/m)
      expect(settings.output).toMatch(/^credentials.access_token +yes +text +Access token: .+$/m)
      expect(yield* run(["providers", "pigeon"])).toMatchObject({
        code: 2,
        errors: "This host has no provider pigeon, but sandbox, whatsapp"
      })
    })
  )

  it.effect("are checked, set up, and synchronise their templates", () =>
    Effect.gen(function* () {
      const { meta } = yield* Host
      const made = yield* one(
        "connection",
        "add",
        "whatsapp",
        "+15550001111",
        ...(yield* inNewWorkspace),
        ...(yield* settings)
      )
      expect(made).toMatchObject({
        provider: "whatsapp",
        name: "+15550001111",
        config: { phone_number_id: phoneNumberId, business_account_id: businessAccountId }
      })
      expect(yield* one("connection", "check", made.id)).toMatchObject({ status: "working" })
      expect(yield* one("connection", "setup", made.id)).toMatchObject({ status: "working" })
      expect(meta.callbacks.get(phoneNumberId)).toBe(made.webhook_url)
      meta.templates.push(...meta.templates.map((template) => ({ ...template, name: "order_late" })))
      yield* one("connection", "sync-templates", made.id)
      const templates = yield* run(["template", "list", "--workspace", made.workspace_id])
      expect(templates.output).toMatch(/order_late +whatsapp +en_US +approved/)
      yield* disconnect(made.id)
    })
  )

  it.effect("change one setting at a time, and credentials as a whole", () =>
    Effect.gen(function* () {
      const there = yield* inNewWorkspace
      const all = yield* settings
      const account = [`--set`, `business_account_id=${businessAccountId}`]
      const made = yield* one(
        ...["connection", "add", "whatsapp", "+15550007777", ...there],
        ...all.filter((word, at) => !word.startsWith("business_") && !all[at + 1]?.startsWith("business_"))
      )
      expect((yield* one("connection", "check", made.id)).detail).toContain("without a business_account_id")
      const synced = yield* run(["connection", "sync-templates", made.id])
      expect(synced.errors).toContain(`run parley connection check ${made.id}`)
      expect((yield* one("connection", "update", made.id, ...account)).config).toEqual({
        phone_number_id: phoneNumberId,
        business_account_id: businessAccountId
      })
      expect((yield* one("connection", "check", made.id)).detail).not.toContain("business_account_id")
      // The changed settings have made the worker read the templates too.
      yield* one("connection", "sync-templates", made.id)
      expect((yield* run(["template", "list", "--workspace", made.workspace_id])).output).toMatch(
        / whatsapp .* approved/
      )

      const lacking = yield* run(["connection", "update", made.id, "--set", "access_token=new"])
      expect([lacking.code, lacking.errors]).toEqual([
        1,
        expect.stringContaining("credentials.app_secret: is required")
      ])
      const renewed = ["access_token=revoked", "app_secret=a", "verify_token=b"].flatMap((value) => ["--set", value])
      expect((yield* one("connection", "update", made.id, ...renewed)).config).toMatchObject({
        business_account_id: businessAccountId
      })
      expect((yield* run(["connection", "check", made.id])).code).toBe(1)
      expect(yield* run(["connection", "update", made.id])).toMatchObject({
        code: 2,
        errors: expect.stringContaining("Give a field to change")
      })
      yield* disconnect(made.id)
    })
  )

  it.effect("that do not work make a check exit with 1 and the reason", () =>
    Effect.gen(function* () {
      const made = yield* one(
        ...["connection", "add", "whatsapp", "+15550002222", ...(yield* inNewWorkspace), ...(yield* settings)],
        ...["--set", "access_token=revoked"]
      )
      const shown = yield* run(["connection", "check", made.id])
      expect(shown).toMatchObject({ code: 1, output: "", errors: expect.stringMatching(/^It does not work: .+/) })
      const json = yield* run(["connection", "check", made.id, "--json"])
      expect(json.code).toBe(1)
      expect(JSON.parse(json.output)).toMatchObject({ status: "failing" })
      expect(yield* run(["connection", "setup", made.id])).toMatchObject({
        code: 1,
        errors: expect.stringContaining("channel_setup_failed")
      })
      yield* disconnect(made.id)
    })
  )

  it.effect("are prompted for at a terminal, without showing secrets", () =>
    Effect.gen(function* () {
      const terminal = yield* typedTerminal(
        "+1 555 000 3333",
        ...[phoneNumberId],
        yes,
        ...[businessAccountId, "6", "", ""],
        ...[accessToken, appSecret, "made-up"]
      )
      const { code, errors, output } = yield* run(
        ["connection", "add", "whatsapp", ...(yield* inNewWorkspace)],
        terminal
      )
      expect([code, errors]).toEqual([0, expect.stringContaining("parley connection setup")])
      const id = /^id +(\S+)$/m.exec(output)?.[1] ?? ""
      expect(yield* one("connection", "show", id)).toMatchObject({
        handle: "+15550003333",
        config: { phone_number_id: phoneNumberId, business_account_id: businessAccountId, messages_per_second: 6 }
      })
      expect(yield* one("connection", "check", id)).toMatchObject({ status: "working" })
      expect(output).toContain("From App settings, Basic: proves that Meta sent what comes to the webhook.")
      expect(terminal.shown()).toContain("App secret")
      for (const secret of [accessToken, appSecret, "made-up"]) expect(terminal.shown() + output).not.toContain(secret)
    }).pipe(Effect.scoped)
  )

  it.effect("are not created if the user interrupts the prompt", () =>
    Effect.gen(function* () {
      const terminal = yield* typedTerminal("+15550006666", phoneNumberId, interruption)
      const there = yield* inNewWorkspace
      expect(yield* run(["connection", "add", "whatsapp", ...there], terminal)).toMatchObject({
        code: 1,
        errors: "Stopped: nothing was changed."
      })
      expect((yield* run(["connection", "list", ...there])).errors).toBe("None.")
    }).pipe(Effect.scoped)
  )

  it.effect("with --test are sandboxes, unless another provider is named", () =>
    Effect.gen(function* () {
      const there = yield* inNewWorkspace
      expect(yield* one("connection", "add", "whatsapp", "+15550004444", "--test", ...there)).toMatchObject({
        provider: "sandbox",
        is_test: true
      })
      expect(yield* one("connection", "add", "telegram", "@acme_bot", ...there)).toMatchObject({ provider: "sandbox" })
    })
  )

  it.effect("are refused with the missing settings if there is no terminal", () =>
    Effect.gen(function* () {
      const there = yield* inNewWorkspace
      const { code, errors } = yield* run(["connection", "add", "whatsapp", "+15550005555", ...there])
      expect(code).toBe(1)
      expect(errors).toContain("config.phone_number_id: is required")
      expect(errors).toContain("credentials.access_token: is required")
      expect(errors).toContain("parley providers <kind>")
      const misused: ReadonlyArray<readonly [args: ReadonlyArray<string>, expected: string]> = [
        [[], "Give the business's own handle on whatsapp"],
        [["+1555", "--set", "phone_number=1"], "whatsapp has no setting phone_number. Did you mean phone_number_id?"],
        [["+1555", "--set", "messages_per_second=many"], "--set messages_per_second must be a number"],
        [["+1555", "--set", "phone_number_id"], "--set takes <name>=<value>, not phone_number_id"],
        [["+1555", "--provider", "pigeon"], "This host has no provider pigeon"]
      ]
      for (const [args, expected] of misused) {
        const outcome = yield* run(["connection", "add", "whatsapp", ...args, ...there])
        expect([args, outcome.code]).toEqual([args, 2])
        expect(outcome.errors).toContain(expected)
      }
    })
  )
})
