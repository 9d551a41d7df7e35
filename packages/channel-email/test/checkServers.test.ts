import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock, TestServices } from "effect"
import { checkServers } from "../src/checkServers.js"
import type { EmailOptions } from "../src/EmailOptions.js"
import { accountAt, bakery, type MailServers, mailServers, readAccount } from "./accounts.js"
import { certificate, expiredCertificate, otherCertificate } from "./certificate.js"
import { imapAnswers, lineServer, smtpAnswers } from "./lineServer.js"

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

  /** The problem of a server of this protocol at a port, where the other one, of `servers`, works. */
  const problemAt = (
    protocol: "smtp" | "imap",
    port: number,
    security: string,
    options: EmailOptions = {},
    servers?: MailServers
  ) =>
    Effect.gen(function* () {
      const server = { host: "localhost", port, security }
      const account = readAccount(accountAt(bakery, servers ?? (yield* mailServers(bakery)), { [protocol]: server }))
      const outcome = yield* checkServers(account, options)
      const problem = outcome._tag === "Failing" ? outcome.problem : outcome._tag
      return problem.replace(`The ${protocol.toUpperCase()} server localhost:${port} `, "")
    })

  const certificates = [
    ["that has expired", "CERT_HAS_EXPIRED", expiredCertificate, [expiredCertificate]],
    ["for another host name", "ERR_TLS_CERT_ALTNAME_INVALID", otherCertificate, [otherCertificate]],
    ["that no known authority signed", "DEPTH_ZERO_SELF_SIGNED_CERT", certificate, []]
  ] as const
  for (const [what, code, cert, [ca]] of certificates) {
    it.scopedLive(`says that a server has a certificate ${what}`, () =>
      Effect.gen(function* () {
        const options = ca === undefined ? {} : { ca }
        const expected = `has a certificate ${what}: ${code}.`
        const smtp = yield* lineServer(
          "220 mail.example",
          smtpAnswers(() => undefined),
          cert
        )
        expect(yield* problemAt("smtp", smtp.port, "tls", options)).toBe(expected)
        const imap = yield* lineServer(
          "* OK ready",
          imapAnswers("", () => undefined),
          cert
        )
        expect(yield* problemAt("imap", imap.port, "tls", options)).toBe(expected)
      })
    )
  }

  it.scopedLive("says that a server has no TLS", () =>
    Effect.gen(function* () {
      const smtp = yield* lineServer(
        "220 mail.example",
        smtpAnswers(() => undefined)
      )
      const expected = "does not answer with TLS: ERR_SSL_WRONG_VERSION_NUMBER."
      expect(yield* problemAt("smtp", smtp.port, "tls")).toBe(expected)
      const imap = yield* lineServer(
        "* OK ready",
        imapAnswers("", () => undefined)
      )
      expect(yield* problemAt("imap", imap.port, "tls")).toBe(expected)
      expect(yield* problemAt("imap", imap.port, "starttls")).toBe("has no STARTTLS, which security asks for.")
    })
  )

  const logins = [
    ["NO [AUTHENTICATIONFAILED] no", "does not take the user name and password"],
    ["NO no", "does not take the user name and password"],
    ["NO [UNAVAILABLE] later", "cannot check logins now: UNAVAILABLE"],
    ["NO [LIMIT] too many", "cannot check logins now: LIMIT"],
    ["NO [PRIVACYREQUIRED] no", "takes no login without TLS: set security to tls or starttls"]
  ] as const
  for (const [answer, expected] of logins) {
    it.scopedLive(`says what the IMAP server says of a login: ${answer}`, () =>
      Effect.gen(function* () {
        const answers = imapAnswers("", (command) => (command.startsWith("LOGIN") ? answer : undefined))
        const { port } = yield* lineServer("* OK ready", answers)
        expect(yield* problemAt("imap", port, "none")).toBe(`${expected}.`)
      })
    )
  }

  it.scopedLive("says that the IMAP server takes no login in the clear", () =>
    Effect.gen(function* () {
      const { port } = yield* lineServer(
        "* OK ready",
        imapAnswers("LOGINDISABLED", () => undefined)
      )
      expect(yield* problemAt("imap", port, "none")).toBe(
        "takes no login without TLS: set security to tls or starttls."
      )
    })
  )

  it.scopedLive("says that the IMAP server has no UIDVALIDITY", () =>
    Effect.gen(function* () {
      const { port } = yield* lineServer(
        "* OK ready",
        imapAnswers("", () => undefined)
      )
      expect(yield* problemAt("imap", port, "none")).toBe("has no UIDVALIDITY.")
    })
  )

  for (const [answer, expected] of [
    ["535 5.7.8 Bad credentials", "does not take the user name and password"],
    ["454 4.7.0 Temporary authentication failure", "cannot check logins now: 454 4.7.0"],
    ["what is this", "gave an answer that is no reply of SMTP to the login"]
  ] as const) {
    it.scopedLive(`says what the SMTP server says of a login: ${answer}`, () =>
      Effect.gen(function* () {
        const answers = smtpAnswers((line) => (line.startsWith("AUTH") ? answer : undefined))
        const { port } = yield* lineServer("220 mail.example", answers)
        expect(yield* problemAt("smtp", port, "none")).toBe(`${expected}.`)
      })
    )
  }

  for (const [protocol, greeting, login, answers] of [
    ["smtp", "220 mail.example", "AUTH", smtpAnswers],
    ["imap", "* OK ready", "LOGIN", (instead: Parameters<typeof smtpAnswers>[0]) => imapAnswers("", instead)]
  ] as const) {
    it.scoped(`names the ${protocol} server that does not end its answers`, () =>
      Effect.gen(function* () {
        const waits = yield* Deferred.make<void>()
        const silent = answers((line) => {
          if (!line.startsWith(login)) return undefined
          Deferred.unsafeDone(waits, Effect.void)
          return null
        })
        const { port } = yield* lineServer(greeting, silent)
        const servers = yield* mailServers(bakery)
        const checking = yield* Effect.fork(problemAt(protocol, port, "none", {}, servers))
        yield* TestServices.provideLive(Deferred.await(waits))
        // The check of the other server has ended once its connection has.
        const { smtp } = servers
        while (protocol === "imap" && (smtp.made() === 0 || smtp.open() > 0)) {
          yield* TestServices.provideLive(Effect.sleep(1))
        }
        yield* TestClock.adjust("25 seconds")
        expect(yield* Fiber.join(checking)).toBe("does not end its answers within 25 s.")
      })
    )
  }
})
