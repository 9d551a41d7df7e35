import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml"

/** A part of a YAML document that cannot be represented in JSON, in which it is sent. */
export interface NonJson {
  readonly node: Node
  /** The problem, for the field of its path. */
  readonly message: string
}

/** Enough for anchors written by hand, and a limit for aliases that multiply. */
export const maxAliases = 100

/** Deeper than any value that the API accepts. */
const maxDepth = 100

/** The position of a node in the document. */
interface Place {
  readonly path: ReadonlyArray<string | number>
  readonly around: ReadonlyArray<Node>
}

/** All parts of a document that cannot be represented in JSON, in order. */
export const nonJsonIn = (document: Document): ReadonlyArray<NonJson> => {
  const found: Array<NonJson> = []
  let aliases = 0

  const report = (node: Node, path: Place["path"], message: string): void => {
    found.push({ node, message: `${path.join(".")} ${message}`.trimStart() })
  }
  const lookAtAlias = (alias: Alias, { around, path }: Place): void => {
    aliases += 1
    if (aliases === maxAliases + 1) report(alias, path, `is alias number ${aliases}: at most ${maxAliases} are allowed`)
    // The alias's node is checked separately.
    const meant = aliases > maxAliases ? undefined : alias.resolve(document)
    if (meant !== undefined && around.includes(meant)) report(alias, path, `refers to itself, by *${alias.source}`)
  }
  const lookInto = (collection: YAMLMap | YAMLSeq, place: Place): void => {
    const { path } = place
    const around = [...place.around, collection]
    if (isSeq(collection)) {
      for (const [index, item] of collection.items.entries()) look(item, { path: [...path, index], around })
      return
    }
    const names = new Set<string>()
    for (const { key, value } of collection.items) {
      if (isScalar(key)) {
        const name = String(key.value ?? "")
        if (names.has(name)) report(key, [...path, name], "must be unique")
        names.add(name)
        look(value, { path: [...path, name], around })
      } else report(collection, path, "must have text as names")
    }
  }
  const look = (node: unknown, place: Place): void => {
    const { path } = place
    if (isAlias(node)) lookAtAlias(node, place)
    else if (isScalar(node)) {
      if (typeof node.value === "number" && !Number.isFinite(node.value)) {
        report(node, path, `must be a number, not ${node.source}`)
      }
    } else if (isMap(node) || isSeq(node)) {
      if (path.length > maxDepth) report(node, path, `must be nested at most ${maxDepth} levels deep`)
      else lookInto(node, place)
    }
  }

  look(document.contents, { path: [], around: [] })
  return found
}
