/**
 * The key by which names are ordered and searched and tags compared: Unicode lower case without accents. It is computed
 * here and stored, so that every database agrees (decisions.md §6).
 *
 * Every part of a text folds to that part of its key. The one letter whose lower case depends on its neighbours, the Greek
 * sigma at the end of a word, is therefore one with all others.
 */
export const folded = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")
