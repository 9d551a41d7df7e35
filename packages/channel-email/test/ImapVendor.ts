import type { AddressInfo, Socket } from "node:net"
import { Effect, type Scope } from "effect"
import hoodiecrow, { type Command, type Session } from "hoodiecrow-imap"
import type { Login } from "../src/EmailCredentials.js"

type Damage = "no" | "ok" | "bye" | "silence"

/** A real IMAP server with one login. */
export interface ImapVendor {
  readonly port: number
  /** Puts a mail into a mailbox, received at a time by the server's clock. */
  readonly deliver: (raw: Buffer, receivedAt: number, mailbox?: string) => void
  readonly remove: (uid: number) => void
  /**
   * A FETCH of this mail's content is answered with NO, with OK alone, by the end of the connection, or not at all;
   * always, or so many times.
   */
  readonly damage: (uid: number, how: Damage, times?: number) => void
  /** Every reply to FETCH begins with the flags of this mail, as if another client had changed them. */
  readonly changeFlags: (uid: number) => void
  /** The lists of mails that searches found are empty. */
  readonly listNothing: () => void
  /** Searches are answered with NO, or by the end of the connection; null: as they should be. */
  readonly refuseSearches: (how: "no" | "bye" | null) => void
  /** A mail arrives in INBOX, and its flags are sent, before the reply to the next search, without it, ends. */
  readonly deliverDuringSearch: (raw: Buffer, receivedAt: number) => void
  /** Every mail of INBOX gets another UID, from 1 on, in another order. */
  readonly renumber: () => void
  /** The commands that the server was sent. */
  readonly commands: ReadonlyArray<string>
  /** The flags that the mails of INBOX have. */
  readonly flags: () => ReadonlyArray<ReadonlyArray<string>>
  readonly open: () => number
  readonly stop: () => Promise<void>
}

/** The mailbox with the special use `\\Sent`. */
export const sentMailbox = "Outgoing mail"

/** Starts one, with the mailboxes INBOX, Shop and {@link sentMailbox}, which ends with the scope. */
export const imapVendor = ({ password, user }: Login): Effect.Effect<ImapVendor, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(user, password)),
    ({ stop }) => Effect.promise(stop)
  )

const start = async (user: string, password: string): Promise<ImapVendor> => {
  const commands: Array<string> = []
  const imap = hoodiecrow({
    plugins: ["ID", "LITERALPLUS", "UIDPLUS", "SPECIAL-USE"],
    users: { [user]: { password } },
    storage: {
      INBOX: { messages: [] },
      "": { folders: { Shop: { messages: [] }, [sentMailbox]: { "special-use": "\\Sent", messages: [] } } }
    }
  })
  const sockets = new Set<Socket>()
  imap.server.on("connection", (socket: Socket) => {
    // It writes a response in several parts, each of which would wait for the acknowledgement of the one before.
    socket.setNoDelay()
    sockets.add(socket)
    socket.on("data", (chunk) => commands.push(chunk.toString("latin1")))
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
  })
  await new Promise<void>((listening) => imap.server.listen(0, "127.0.0.1", listening))
  let changedFlags: number | null = null
  let listed: Damage | undefined
  const damaged = new Map<number, { readonly how: Damage; times: number }>()
  const damageOf = (uid: number): Damage | undefined => {
    const damage = damaged.get(uid)
    if (damage === undefined || damage.times === 0) return undefined
    damage.times -= 1
    return damage.how
  }
  const fetch = imap.getCommandHandler("UID FETCH")
  imap.setCommandHandler("UID FETCH", (session, command, data, done) => {
    if (changedFlags !== null) session.send(flagsOf(changedFlags), "FLAGS", command, data)
    const how = /BODY/.test(data) ? damageOf(Number(command.attributes[0]?.value)) : listed
    if (how === undefined) return fetch(session, command, data, done)
    if (how === "bye") close()
    if (how === "no") finish("NO", session, command, data)
    if (how === "ok") finish("OK", session, command, data)
    done()
  })
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  const finish = (status: "OK" | "NO", session: Session, command: Command, data: string) => {
    const attributes = [{ type: "TEXT", value: "The mail is damaged" }]
    session.send({ tag: command.tag, command: status, attributes }, "DAMAGED", command, data)
  }
  /** Returns the UID. */
  let arrive: (() => number) | null = null
  let searches: "no" | "bye" | null = null
  const search = imap.getCommandHandler("UID SEARCH")
  imap.setCommandHandler("UID SEARCH", (session, command, data, done) => {
    if (arrive !== null) {
      const [deliver, send] = [arrive, session.send.bind(session)]
      arrive = null
      session.send = (response, ...rest) => {
        if (response.tag === command.tag) {
          session.send = send
          send(flagsOf(deliver()), "FLAGS", command, data)
        }
        send(response, ...rest)
      }
    }
    if (searches === null) return search(session, command, data, done)
    if (searches === "bye") close()
    else finish("NO", session, command, data)
    done()
  })
  const inbox = () => imap.getMailbox("INBOX")
  return {
    port: (imap.server.address() as AddressInfo).port,
    commands,
    deliverDuringSearch: (raw, receivedAt) => {
      arrive = () => {
        imap.appendMessage("INBOX", [], internalDate(receivedAt), raw.toString("latin1"))
        return inbox().uidnext - 1
      }
    },
    deliver: (raw, receivedAt, mailbox = "INBOX") => {
      imap.appendMessage(mailbox, [], internalDate(receivedAt), raw.toString("latin1"))
    },
    remove: (uid) => {
      const box = inbox()
      box.messages = box.messages.filter((message) => message.uid !== uid)
    },
    damage: (uid, how, times = Number.POSITIVE_INFINITY) => void damaged.set(uid, { how, times }),
    changeFlags: (uid) => {
      changedFlags = uid
    },
    listNothing: () => {
      listed = "ok"
    },
    refuseSearches: (how) => {
      searches = how
    },
    renumber: () => {
      const box = inbox()
      box.uidvalidity += 1
      box.messages.reverse().forEach((message, at) => {
        message.uid = at + 1
      })
      box.uidnext = box.messages.length + 1
    },
    flags: () => inbox().messages.map(({ flags }) => flags),
    open: () => sockets.size,
    stop: () =>
      new Promise<void>((stopped) => {
        close()
        imap.server.close(() => stopped())
      })
  }
}

/** As `* 58 FETCH (UID 58 FLAGS (\\Seen))`. */
const flagsOf = (uid: number) => {
  const atom = (value: string) => ({ type: "ATOM", value })
  return { tag: "*", attributes: [uid, atom("FETCH"), [atom("UID"), uid, atom("FLAGS"), [atom("\\Seen")]]] }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** As IMAP writes it: `07-Feb-2026 08:30:00 +0000`. */
const internalDate = (at: number): string => {
  const [year, month, day] = new Date(at).toISOString().slice(0, 10).split("-")
  return `${day}-${months[Number(month) - 1]}-${year} ${new Date(at).toISOString().slice(11, 19)} +0000`
}
