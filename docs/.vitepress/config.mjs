// The configuration of the site. .ci/site runs it in the root of the repository, on a copy of the pages.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PAGES = 'target/vitepress/pages'
const LINK = /\[([^\]]+)\]\(([^)#:\s]+)(?:#[^)\s]*)?\)/g

/** Returns the targets of links in a text to files of the repository, with their names. */
function links(text, page) {
  return [...text.matchAll(LINK)].map(([, name, target]) => ({ name, path: join(dirname(page), target) }))
}

const sources = readdirSync(PAGES, { recursive: true }).filter(file => file.endsWith('.md') && !file.startsWith('public'))
const text = page => readFileSync(join(PAGES, page), 'utf8')

/** Returns the navigation: the headings and links of the index of pages, with the links of an index below its own. */
function navigation() {
  const index = 'docs/README.md'
  const entry = ({ name, path }) => ({
    text: name[0].toUpperCase() + name.slice(1),
    link: '/' + path.replace(/README\.md$/, ''),
    ...(path.endsWith('/README.md') && { collapsed: true, items: links(text(path), path).map(entry) }),
  })
  const groups = text(index).split(/^## /m).slice(1)
    .map(group => ({ text: group.split('\n', 1)[0], items: links(group, index).map(entry) }))
  const shown = JSON.stringify(groups)
  const missing = sources.filter(page => !['README.md', index].includes(page) && !shown.includes(`"/${page.replace(/README\.md$/, '')}"`))
  if (missing.length > 0) {
    throw new Error(`The navigation lacks ${missing.join(', ')}: link it in ${index}.`)
  }
  return groups
}

/** Returns the address of a file or folder of the repository on the site; that of a missing file is a dead link. */
const address = path => !existsSync(path) ? `/missing/${path}` : '/files/' + path.replace(/^\./, '').replace(/\/$/, '') + (statSync(path).isDirectory() ? '.md' : '.txt')

/** Copies a file as text, which every server and browser shows, or each file of a folder with a page that lists them. */
function publish(path) {
  if (!statSync(path).isDirectory()) {
    cpSync(path, join(PAGES, 'public', address(path)))
    return
  }
  const files = readdirSync(path, { recursive: true }).sort()
    .filter(file => !/(^|\/)(target|build|\.[^/]*)(\/|$)/.test(file) && !statSync(join(path, file)).isDirectory())
  files.forEach(file => publish(join(path, file)))
  mkdirSync(join(PAGES, dirname(address(path))), { recursive: true })
  const matter = ['---', 'search: false', 'sidebar: false', 'aside: false', 'next: false', '---', '']
  writeFileSync(join(PAGES, address(path)), [...matter, `# \`${path}\``, '', ...files.map(file => `* [${file}](${address(join(path, file))})`), ''].join('\n'))
}

const sidebar = navigation()
sources.flatMap(page => links(text(page), page).map(link => link.path))
  .filter(path => !existsSync(join(PAGES, path)) && existsSync(path))
  .forEach(publish)

/** Changes links to files of the repository into links to their copies, and escapes the braces of Vue. */
function asOnGitHub(md) {
  const { link_open: open, text, code_inline: code } = md.renderer.rules
  const escaped = render => (...parameters) => render(...parameters).replaceAll('{{', '&#123;&#123;')
  Object.assign(md.renderer.rules, { text: escaped(text), code_inline: escaped(code) })
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const [, target, anchor] = tokens[index].attrGet('href').match(/^([^#]*)(.*)$/)
    if (target.endsWith('README.md')) {
      tokens[index].attrSet('href', (target.replace(/README\.md$/, '') || './') + anchor)
    } else if (!/:|^\/|\.md$|^$/.test(target)) {
      tokens[index].attrSet('href', address(join(dirname(env.relativePath), target)))
    }
    return open(tokens, index, options, env, self)
  }
}

/** Fails if a page is empty, or if a link or picture leads to no file, or an anchor to no element, also in the Javadoc. */
function check({ outDir }) {
  const html = new Map(readdirSync(outDir, { recursive: true }).filter(file => file.endsWith('.html'))
    .map(file => [file, readFileSync(join(outDir, file), 'utf8')]))
  const ids = new Map([...html].map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(match => match[1].replaceAll('&lt;', '<').replaceAll('&gt;', '>')))]))
  const problems = []
  let links = 0
  const pages = [...html].filter(([page]) => page !== '404.html')
  for (const [page, text] of pages) {
    if (!page.startsWith('api/') && !text.includes('<h1')) {
      problems.push(`${page} is empty: see the error above`)
    }
    for (const [, target] of text.matchAll(/<[^>]* (?:href|src)="((?![a-z]+:)[^"]*)"/g)) {
      const { pathname, hash } = new URL(target, `http://site/${page}`)
      const file = decodeURI(pathname).slice(1).replace(/(^|\/)$/, '$1index.html')
      if (!existsSync(join(outDir, file)) || (hash && !ids.get(file)?.has(decodeURI(hash).slice(1)))) {
        problems.push(`${page} has a dead link to ${target}`)
      }
      links++
    }
  }
  if (problems.length > 0) {
    throw new Error(problems.join('\n'))
  }
  console.log(`${pages.length} pages: each of their ${links} links leads to a page, file or anchor.`)
}

export default {
  title: 'Neuron Test',
  description: 'A JUnit extension for AWS Neuron hardware, and a fake host for tests without it',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  outDir: '../../site',
  buildEnd: check,
  srcExclude: ['public'],
  rewrites: id => id.replace(/README\.md$/, 'index.md'),
  markdown: {
    // The anchors of GitHub.
    anchor: { slugify: heading => heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N} _-]/gu, '').replaceAll(' ', '-') },
    // GitHub does not read attributes in braces.
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: asOnGitHub,
  },
  themeConfig: {
    nav: [
      { text: 'All pages', link: '/docs/' },
      { text: 'API', items: [
        { text: 'JUnit extension', link: '/api/index.html', target: '_self' },
        { text: 'Fake host', link: '/api/fake-sysfs/index.html', target: '_self' },
      ] },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    notFound: { quote: 'This page does not exist.', linkText: 'Start page', linkLabel: 'Start page' },
  },
}
