import { isUuid } from "../../kernel/input/Fields.js"

/** Maximum stored length of a path, in UTF-16 units. */
export const maxPathLength = 255

/**
 * Matches the segments of the API's own paths. Any other segment may be a credential or a query that a client put there
 * by mistake.
 */
const ordinary = /^[\w.~-]{0,24}$/

/**
 * The path for the request log: segments that may contain secrets become `***`; at most {@link maxPathLength} UTF-16
 * units.
 */
export const loggedPath = (path: string): string =>
  path
    .split("/")
    .map((segment) => (isUuid(segment) || ordinary.test(segment) ? segment : "***"))
    .join("/")
    .slice(0, maxPathLength)
