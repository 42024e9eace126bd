import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer nofollow">
      {children}
    </a>
  ),
  // A picture from elsewhere would tell its server who reads this, and when.
  img: ({ alt, src }) => <span>[{alt === undefined || alt === '' ? 'picture' : alt}{typeof src === 'string' ? `: ${src.slice(0, 200)}` : ''}]</span>,
  // The page has its own first heading.
  h1: ({ children }) => <h2>{children}</h2>,
};

export default function MarkdownImpl({ children }: { children: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS} skipHtml>
      {children}
    </ReactMarkdown>
  );
}
