import mark from '../../assets/mark.svg';

export function Brand({ children }: { children?: string }) {
  return (
    <span className="brand">
      <img src={mark} alt="" width="24" height="24" />
      <span>Countersign</span>
      {children && <span className="brand-page">{children}</span>}
    </span>
  );
}
