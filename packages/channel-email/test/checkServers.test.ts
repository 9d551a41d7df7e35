import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkServers } from "../src/checkServers.js"
import { accountAt, bakery, mailServers, readAccount } from "./accounts.js"

const wrong = { user: "somebody", password: "wrong" }

describe("the check of a connection", () => {
  it.scopedLive("says which way mail goes out and comes in, and sends nothing", () =>
    Effect.gen(function* () {
      const servers = yield* mailServers(bakery)
      const account = readAccount(accountAt(bakery, servers))
      expect(yield* checkServers(account, {})).toEqual({
        _tag: "Working",
        detail:
          `Mail from hello@bakery.example goes out through 127.0.0.1:${servers.smtp.port}. ` +
          `Mail comes in from INBOX at 127.0.0.1:${servers.imap.port}.`
      })
      const { imap: _, ...config } = account.config
      expect(yield* checkServers({ ...account, config }, {})).toMatchObject({
        detail: expect.stringContaining("Mail comes in by webhook.")
      })
      expect(servers.smtp.taken).toEqual([])
    })
  )

  it.scopedLive("says which server refuses what", () =>
    Effect.gen(function* () {
      const servers = yield* mailServers(bakery)
      const account = readAccount(accountAt(bakery, servers))
      const { config, credentials } = account
      const problem = (changed: Partial<typeof account>) =>
        Effect.map(checkServers({ ...account, ...changed }, {}), (outcome) =>
          outcome._tag === "Failing" ? outcome.problem : outcome._tag
        )
      const smtp = `The SMTP server 127.0.0.1:${servers.smtp.port}`
      const imap = `The IMAP server 127.0.0.1:${servers.imap.port}`
      expect(yield* problem({ credentials: { ...credentials, smtp: wrong } })).toBe(
        `${smtp} does not take the user name and password.`
      )
      expect(yield* problem({ credentials: { ...credentials, imap: wrong } })).toBe(
        `${imap} does not take the user name and password.`
      )
      const box = { ...config.imap, host: "127.0.0.1", mailbox: "Nowhere" }
      expect(yield* problem({ config: { ...config, imap: box } })).toBe(
        `${imap} has no mailbox Nowhere, or does not open it.`
      )
      yield* Effect.promise(servers.imap.stop)
      expect(yield* problem({})).toBe(`${imap} does not answer as it should: ECONNREFUSED.`)
      yield* Effect.promise(servers.smtp.stop)
      expect(yield* problem({})).toBe(`${smtp} does not answer as it should: ECONNREFUSED.`)
    })
  )
})
