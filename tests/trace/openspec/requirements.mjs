// Reads specifications with OpenSpec's own parser: JSON texts on standard input, their requirements on standard output.
import { readFileSync } from "node:fs";

import { MarkdownParser } from "./node_modules/@fission-ai/openspec/dist/core/parsers/markdown-parser.js";

const texts = JSON.parse(readFileSync(0, "utf8"));
const requirements = texts.map((text) => new MarkdownParser(text).parseSpec("sample").requirements);
process.stdout.write(JSON.stringify(requirements));
