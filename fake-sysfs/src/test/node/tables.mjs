// Prints for each file its rows as one line of JSON, read by hyparquet. Whole numbers of 64 bits are texts.
// node tables.mjs FOLDER_OF_HYPARQUET FILE...
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [folder, ...files] = process.argv.slice(2)
const { parquetReadObjects } = await import(pathToFileURL(`${folder}/src/index.js`))
for (const file of files) {
  const bytes = readFileSync(file)
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  })
  console.log(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value)))
}
