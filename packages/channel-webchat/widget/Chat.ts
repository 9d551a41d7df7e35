import type { VisitorMessage, VisitorOption } from "../src/VisitorMessage.js"
import { type Api, Refused } from "./Api.js"
import type { SendState } from "./Bubble.js"
import { makeBackoff } from "./backoff.js"
import type { ShownFile } from "./fileView.js"
import { followFeed } from "./followFeed.js"
import type { Panel, Quoted } from "./Panel.js"
import { stored } from "./storage.js"

/** A message of the visitor that the server has not accepted yet. */
interface Unsent {
  readonly id: string
  readonly body: string
  /** The id of the message that it answers, and its start. */
  readonly quoted?: string
  readonly quote?: string
  /** The press of an option. */
  readonly choice?: { readonly message_id: string; readonly option_id: string }
  /** The answers to the form before the chat. */
  readonly form?: { readonly [field: string]: string }
  /** A file, which is sent instead of a text. Its bytes are gone when the page is left. */
  readonly file?: ShownFile
}

/** What a page sends to the visitor's other pages. */
type TabMessage = { readonly written: Unsent } | { readonly stored: VisitorMessage } | { readonly read: number }

/** The visitor's positions in the feed. */
interface Progress {
  readonly delivered: number
  readonly read: number
}

const nothing: Progress = { delivered: 0, read: 0 }

/**
 * The conversation of the panel: shows each message once, sends the visitor's messages, and acknowledges those
 * received.
 */
export interface Chat {
  /** Loads the history and follows the feed; only once, however often it is called. */
  readonly begin: () => void
  readonly send: (text: string, quoted: Quoted | null) => void
  readonly introduce: (form: { readonly [field: string]: string }) => void
  readonly sendFiles: (files: ReadonlyArray<File>) => void
  readonly choose: (messageId: string, option: VisitorOption) => void
  readonly retry: (id: string) => void
  readonly earlier: () => void
  /** The shown messages are visible. */
  readonly seen: () => void
}

export const makeChat = (api: Api, panel: Panel, base: string, key: string): Chat => {
  // For each page, because two pages would both send its messages.
  const outbox = stored<ReadonlyArray<Unsent>>(() => sessionStorage, `${key} outbox`)
  const files = new Map<string, File>()
  /** By id, until the visitor tries again. */
  const refused = new Map<string, Unsent>()
  const pages = "BroadcastChannel" in window ? new BroadcastChannel(key) : null
  const seen = stored<string>(() => localStorage, `${key} seen`)
  let begun = false
  let oldest: string | null = null
  let progress = nothing
  let acknowledged = nothing

  /** Retries until it succeeds or the server refuses it permanently. */
  const retryUntilDone = async (work: () => Promise<unknown>): Promise<boolean> => {
    const backoff = makeBackoff()
    for (;;) {
      try {
        await work()
        return true
      } catch (error) {
        if (error instanceof Refused && error.isFinal) return false
        await backoff.pause(error instanceof Refused ? error.retryAfter : 0)
      }
    }
  }
  const post = (path: string, body: object) => api.call(path, { method: "POST", body: JSON.stringify(body) })

  const show = (message: VisitorMessage): void =>
    panel.show({
      id: message.client_id ?? message.id,
      own: message.direction === "inbound",
      quote: message.quoted?.body ?? null,
      body: message.body,
      agent: message.agent ?? null,
      avatar: message.agent_avatar === undefined ? null : new URL(message.agent_avatar, base).href,
      options: message.options ?? null,
      files: (message.attachments ?? []).map((file) => ({
        name: file.file_name,
        contentType: file.content_type,
        size: file.size,
        url: new URL(file.url, base).href
      })),
      at: new Date(message.created_at),
      read: message.is_read
    })
  const showOwn = ({ id, body, file, quote }: Unsent, state: SendState): void => {
    panel.show({
      id,
      own: true,
      agent: null,
      avatar: null,
      quote: quote ?? null,
      body,
      options: null,
      files: file === undefined ? [] : [file],
      at: new Date(),
      read: true
    })
    panel.mark(id, state)
  }

  const postFile = async ({ id }: Unsent, file: File): Promise<void> => {
    const query = new URLSearchParams({ id, name: file.name })
    const bytes = await file.arrayBuffer().catch(() => {
      // It was changed or deleted since it was picked. Retries would keep all later messages waiting.
      throw new Refused(410, 0)
    })
    const body = new Blob([bytes], { type: file.type })
    const response = await api.call(`/files?${query}`, { method: "POST", body })
    const { data } = await response.json()
    if (data === null) return
    show(data)
    broadcast({ stored: data })
  }

  let sending = false
  const flush = async (): Promise<void> => {
    if (sending) return
    sending = true
    for (let next = outbox.get()?.[0]; next !== undefined; next = outbox.get()?.[0]) {
      const message = next
      const file = files.get(message.id)
      const taken = await retryUntilDone(() =>
        file ? postFile(message, file) : post(message.form ? "/form" : "/messages", message)
      )
      outbox.set((outbox.get() ?? []).filter(({ id }) => id !== message.id))
      panel.mark(message.id, taken ? "sent" : "failed")
      if (!taken) {
        // The message that it answers may be gone.
        const { quoted: _, ...rest } = message
        refused.set(message.id, rest)
        continue
      }
      files.delete(message.id)
      if (!file) broadcast({ written: message })
    }
    sending = false
  }

  let acknowledging = false
  const acknowledge = async (): Promise<void> => {
    if (panel.isLookedAt()) {
      progress = { ...progress, read: progress.delivered }
      panel.allRead()
    }
    if (acknowledging) return
    acknowledging = true
    while (progress.delivered > acknowledged.delivered || progress.read > acknowledged.read) {
      const { delivered, read } = progress
      await retryUntilDone(() => post("/acks", { delivered, read }))
      acknowledged = { delivered, read }
      broadcast({ read })
    }
    acknowledging = false
  }

  const page = async (before: string | null): Promise<number> => {
    const response = await api.call(before === null ? "/messages" : `/messages?before=${before}`)
    const { data, meta }: { data: ReadonlyArray<VisitorMessage>; meta: { sequence: number; before: string | null } } =
      await response.json()
    panel.atTop(() => data.forEach(show))
    oldest = meta.before
    panel.hasEarlier(oldest !== null)
    // Unread messages may not be acknowledged as delivered either: a page can close before that.
    const isRead = data.every((message) => message.is_read)
    if (before === null && isRead) acknowledged = { delivered: meta.sequence, read: meta.sequence }
    return meta.sequence
  }

  const broadcast = (what: TabMessage): void => pages?.postMessage(what)
  if (pages !== null) {
    pages.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if ("written" in data) {
        showOwn(data.written, "sent")
      } else if ("stored" in data) {
        show(data.stored)
      } else if (data.read >= progress.delivered) panel.allRead()
    }
  }

  const begin = async (): Promise<void> => {
    panel.connection("connecting")
    const known = seen.get()
    if (known !== null) panel.seenByBusiness(known)
    let sequence = 0
    const isLetIn = await retryUntilDone(async () => {
      sequence = await page(null).catch((error) => {
        panel.connection("offline")
        throw error
      })
    })
    if (!isLetIn) return
    panel.connection("connected")
    progress = { delivered: sequence, read: 0 }
    acknowledge()
    outbox.set((outbox.get() ?? []).filter(({ id, file }) => file === undefined || files.has(id)))
    for (const message of outbox.get() ?? []) showOwn(message, "sending")
    flush()
    await followFeed(api, sequence, {
      message: (sequence, message) => {
        show(message)
        // An earlier position: the visitor was erased meanwhile, and this is a new feed.
        if (sequence <= progress.delivered) progress = acknowledged = nothing
        progress = { ...progress, delivered: sequence }
        acknowledge()
      },
      typing: () => panel.typing(),
      seen: (clientId) => {
        seen.set(clientId)
        panel.seenByBusiness(clientId)
      },
      connected: (is) => panel.connection(is ? "connected" : "offline")
    })
  }

  const send = (message: Unsent): void => {
    outbox.set([...(outbox.get() ?? []), message])
    showOwn(message, "sending")
    flush()
  }

  return {
    begin: () => {
      if (begun) return
      begun = true
      begin()
    },
    send: (body, quoted) =>
      send({ id: newId(), body, ...(quoted === null ? {} : { quoted: quoted.id, quote: quoted.text }) }),
    introduce: (form) => send({ id: newId(), body: Object.values(form).join("\n"), form }),
    sendFiles: (picked) => {
      for (const file of picked) {
        const id = newId()
        files.set(id, file)
        send({ id, body: "", file: { name: file.name, contentType: file.type, size: file.size, url: null } })
      }
    },
    choose: (message_id, { id, title }) => send({ id: newId(), body: title, choice: { message_id, option_id: id } }),
    retry: (id) => {
      const message = refused.get(id)
      if (message === undefined) return
      refused.delete(id)
      outbox.set([...(outbox.get() ?? []), message])
      panel.mark(id, "sending")
      flush()
    },
    earlier: () => {
      if (oldest !== null) page(oldest).catch(() => panel.hasEarlier(true))
    },
    seen: () => acknowledge()
  }
}

/** `crypto.randomUUID` exists over https only. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
