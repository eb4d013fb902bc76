/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLambda;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.FunctionSqlType;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlLambdaScope;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/** The functions of an array and of an expression of its items, {@code x -> x + 1}. */
final class OfItems {

    static final SqlFunction ARRAY_EXISTS = SqlBasicFunction.create(
            "ARRAY_EXISTS", ReturnTypes.BOOLEAN_NULLABLE, new Arguments(true), SqlFunctionCategory.SYSTEM);

    static final SqlFunction TRANSFORM =
            SqlBasicFunction.create("TRANSFORM", OfItems::array, new Arguments(false), SqlFunctionCategory.SYSTEM);

    private OfItems() {}

    private static RelDataType array(SqlOperatorBinding call) {
        RelDataTypeFactory types = call.getTypeFactory();
        RelDataType body = call.getOperandType(call.getOperandCount() - 1);
        RelDataType item = body instanceof FunctionSqlType function ? function.getReturnType() : body;
        RelDataType array = types.createArrayType(types.createTypeWithNullability(item, true), -1);
        return types.createTypeWithNullability(array, call.getOperandType(0).isNullable());
    }

    /**
     * Gives the parameters of the body their types: that of the items, and those of what {@link LiftedColumns} hands
     * it. Inside of another body these may not be known before the parameters of that one have theirs; then it is
     * looked at again.
     *
     * @param isTest whether the body must be a condition
     */
    private record Arguments(boolean isTest) implements SqlOperandTypeChecker {

        @Override
        public boolean checkOperandTypes(SqlCallBinding call, boolean throwOnFailure) {
            int last = call.getOperandCount() - 1;
            List<RelDataType> types = new ArrayList<>();
            for (int i = 0; i < last; i++) {
                types.add(call.getOperandType(i));
            }
            SqlLambda body = call.operand(last) instanceof SqlLambda lambda && isOfOne(lambda, last) ? lambda : null;
            if (body != null && types.stream().anyMatch(type -> type.getSqlTypeName() == SqlTypeName.ANY)) {
                return true;
            }
            RelDataType item = SqlTypeUtil.isArray(types.get(0)) ? types.get(0).getComponentType() : null;
            boolean isWellTyped = body != null && item != null && isWellTyped(call, body, item, types);
            if (!isWellTyped && throwOnFailure) {
                throw call.newValidationSignatureError();
            }
            return isWellTyped;
        }

        private static boolean isOfOne(SqlLambda body, int arguments) {
            return body.getParameters().size() == arguments
                    && body.getParameters().stream().skip(1).allMatch(LiftedColumns::isColumn);
        }

        private boolean isWellTyped(
                SqlCallBinding call, SqlLambda body, RelDataType item, List<RelDataType> arguments) {
            SqlValidator validator = call.getValidator();
            if (!(validator.getLambdaScope(body) instanceof SqlLambdaScope scope)) {
                return false;
            }
            for (int i = 0; i < arguments.size(); i++) {
                String parameter = body.getParameters().get(i).toString();
                scope.getParameterTypes().put(parameter, i == 0 ? item : arguments.get(i));
            }
            // It was looked at with parameters of any type.
            body.accept(new SqlBasicVisitor<@Nullable Void>() {
                @Override
                public @Nullable Void visit(SqlIdentifier name) {
                    validator.removeValidatedNodeType(name);
                    return super.visit(name);
                }

                @Override
                public @Nullable Void visit(SqlCall inside) {
                    validator.removeValidatedNodeType(inside);
                    return super.visit(inside);
                }
            });
            validator.validateLambda(body);
            return !isTest
                    || (validator.getValidatedNodeType(body) instanceof FunctionSqlType function
                            && SqlTypeUtil.isBoolean(function.getReturnType()));
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return SqlOperandCountRanges.from(2);
        }

        @Override
        public String getAllowedSignatures(SqlOperator operator, String name) {
            return name + "(<ARRAY>, x -> " + (isTest ? "<BOOLEAN>" : "<ANY>") + ")";
        }
    }
}
