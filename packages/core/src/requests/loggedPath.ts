import { isUuid } from "../input/Fields.js"

/** The most characters that the log keeps of a path. */
export const mostOfPath = 255

/** What the interface's own segments are made of; anything else may be a credential or a query that somebody put there. */
const ordinary = /^[\w.~-]{0,24}$/

/** A path as the request log has it: bounded, and without what somebody put into it by mistake. */
export const loggedPath = (path: string): string =>
  path
    .split("/")
    .map((segment) => (isUuid(segment) || ordinary.test(segment) ? segment : "***"))
    .join("/")
    .slice(0, mostOfPath)
