import { domainToASCII } from "node:url"
import type { Business } from "./EmailAccount.js"
import type { Mail } from "./readMail.js"

/** Whether the sender of a mail counts as proven: always, if the connection names no server that checks senders. */
export const isProven = ({ config }: Business, mail: Mail): boolean =>
  config.authserv_id === undefined || isAuthenticated(mail, config.authserv_id)

/**
 * Whether the server with this authserv-id found that the domain in `From` sent the mail
 * (docs/reference/email.md#authenticated-senders). Only its topmost `Authentication-Results` counts: it wrote that one
 * last, and senders can write others below (RFC 8601, 5).
 */
export const isAuthenticated = ({ from, headers, senders }: Mail, authservId: string): boolean => {
  // Of several senders, the server may have checked another one.
  if (from === null || senders !== 1 || headers("from").length !== 1) return false
  const domain = domainOf(from.address)
  if (domain === "") return false
  const results = headers("authentication-results")
    .map(readResults)
    .find((read) => read?.authservId === authservId.toLowerCase())?.results
  if (results === undefined) return false
  const dmarc = results.filter(({ method }) => method === "dmarc")
  if (dmarc.some(({ result }) => result !== "none" && result !== "bestguesspass")) {
    return dmarc.every(
      ({ properties, result }) => result === "pass" && domainOf(properties.get("header.from") ?? "") === domain
    )
  }
  // A domain without a policy.
  return results.some(({ method, properties, result }) => {
    if (result !== "pass") return false
    const identity = (name: string) => domainOf(properties.get(name) ?? "")
    if (method === "dkim") return [identity("header.d"), identity("header.i")].includes(domain)
    if (method !== "spf") return false
    // The sender of a bounce is empty, and SPF checks the name of its server (RFC 7208, 2.4).
    const server = identity("smtp.helo")
    return identity("smtp.mailfrom") === domain || server === domain || server.endsWith(`.${domain}`)
  })
}

interface Result {
  readonly method: string
  readonly result: string
  /** By name, such as `header.from`. Names and values are in lower case. */
  readonly properties: ReadonlyMap<string, string>
}

/** The content of an `Authentication-Results` header (RFC 8601, 2.2). */
interface Results {
  readonly authservId: string
  readonly results: ReadonlyArray<Result>
}

/** Null for a header that is not well-formed. */
const readResults = (header: string): Results | null => {
  const parts = partsOf(header)
  if (parts === null) return null
  const [[authservId = ""] = [], ...results] = parts
  return {
    authservId,
    results: results.map(([first = "", ...others]) => {
      const [method, result] = pairOf(first)
      return { method: method.split("/", 1)[0] ?? "", result, properties: new Map(others.map(pairOf)) }
    })
  }
}

const pairOf = (word: string): readonly [name: string, value: string] => {
  const at = word.indexOf("=")
  return at === -1 ? [word, ""] : [word.slice(0, at), word.slice(at + 1)]
}

/**
 * The words of the parts between semicolons, in lower case. Comments are left out; a quoted string is a part of its
 * word, so that `reason="dmarc=pass"` is one word. Null if a comment or a quoted string does not end.
 */
const partsOf = (header: string): ReadonlyArray<ReadonlyArray<string>> | null => {
  const parts: Array<Array<string>> = [[]]
  let word = ""
  let comments = 0
  let quoted = false
  const endWord = () => {
    if (word !== "") parts.at(-1)?.push(word.toLowerCase())
    word = ""
  }
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at] as string
    if (character === "\\" && (quoted || comments > 0)) {
      at += 1
      if (quoted) word += header[at] ?? ""
    } else if (quoted) {
      if (character === '"') quoted = false
      else word += character
    } else if (character === "(") {
      comments += 1
    } else if (comments > 0) {
      if (character === ")") comments -= 1
    } else if (character === '"') {
      quoted = true
    } else if (character === ";") {
      endWord()
      parts.push([])
    } else if (/\s/.test(character)) {
      endWord()
    } else {
      word += character
    }
  }
  endWord()
  return comments > 0 || quoted ? null : parts
}

/** The domain of an address, or the domain itself, in ASCII. Empty if it is not valid. */
const domainOf = (address: string): string => domainToASCII(address.slice(address.lastIndexOf("@") + 1))
